package dev.fakegpu.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.prepare.ClaimCheck;
import dev.fakegpu.prepare.NodeGpus;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;

/** What the driver of a node reads from the cluster and tells it. Reading fails with whatever the client throws; telling never does. */
interface NodeCluster {

    /** The claim as it is stored now, not as some watch last saw it. */
    Optional<ResourceClaim> claim(String namespace, String name);

    /** The GPUs of the node that the driver has, as they are now. */
    NodeGpus gpus();

    void prepared(ResourceClaim claim, ClaimCheck.Result result, NodeGpus gpus);

    void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeGpus gpus);

    /** @param devices that stay prepared */
    void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem);

    void unprepared(ClaimRef claim);
}
