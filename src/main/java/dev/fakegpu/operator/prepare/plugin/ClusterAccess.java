package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.NodeInventory;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the driver reads from and writes to the cluster. Reads throw the client's exceptions; writes never throw. */
interface ClusterAccess {

    /** The claim as stored now, not from a cache. */
    Optional<ResourceClaim> claim(String namespace, String name);

    /** The driver's GPUs on the node as they are now. */
    NodeInventory inventory();

    /** The devices that drivers with this plugin publish for the node, as far as they are known. It never throws. */
    Set<DeviceId> published();

    void prepared(ResourceClaim claim, ClaimValidator.Result result, NodeInventory inventory);

    void failed(ResourceClaim claim, List<DeviceId> devices, String problem, NodeInventory inventory);

    /** @param devices the devices that remain prepared */
    void notUnprepared(ClaimRef claim, List<DeviceId> devices, String problem);

    void unprepared(ClaimRef claim);

    /**
     * @param devices the devices that were still prepared although they were no longer used and the kubelet would not have unprepared them
     */
    void abandoned(ClaimRef claim, List<DeviceId> devices);
}
