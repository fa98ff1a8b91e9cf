package dev.fakegpu.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.prepare.ClaimValidator;
import dev.fakegpu.prepare.NodeInventory;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;

/** What the driver of a node reads from the cluster and tells it. Reading fails with whatever the client throws; telling never does. */
interface ClusterAccess {

    /** The claim as it is stored now, not as some watch last saw it. */
    Optional<ResourceClaim> claim(String namespace, String name);

    /** The GPUs of the node that the driver has, as they are now. */
    NodeInventory gpus();

    void prepared(ResourceClaim claim, ClaimValidator.Result result, NodeInventory gpus);

    void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeInventory gpus);

    /** @param devices that stay prepared */
    void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem);

    void unprepared(ClaimRef claim);
}
