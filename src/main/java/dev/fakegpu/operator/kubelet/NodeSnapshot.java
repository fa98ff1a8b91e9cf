package dev.fakegpu.operator.kubelet;

import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.prepare.ClaimValidator;
import dev.fakegpu.operator.prepare.DeviceHealths;
import dev.fakegpu.operator.prepare.NodeInventory;
import dev.fakegpu.operator.prepare.PreparedDevice;
import dev.fakegpu.operator.prepare.fault.DriverCall;
import dev.fakegpu.operator.prepare.fault.InjectedFault;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cluster state that is relevant for preparation on one node. Each call reads the current state of the watch. */
final class NodeSnapshot {

    private final ObjectStores cluster;
    private final NodeInventory inventory;
    private final ClaimNaming naming;

    NodeSnapshot(ObjectStores cluster, NodeInventory inventory, ClaimNaming naming) {
        this.cluster = cluster;
        this.inventory = inventory;
        this.naming = naming;
    }

    ClaimValidator validatorFor(ResourceClaim claim) {
        return new ClaimValidator(inventory, preparedForOthers(claim), naming);
    }

    Map<DeviceId, DeviceHealths.Health> healths() {
        return inventory.healths();
    }

    /** The faults that match the call. */
    List<InjectedFault> faults(DriverCall call) {
        return inventory.faults(call);
    }

    /** The groups in the current slices, for claims whose allocator did not record them. */
    Optional<CompatibilityGroups> declaredGroups(DeviceId id) {
        return inventory.declaredGroups(id);
    }

    /** Only devices in the pools of the claim matter, since other pools do not share hardware with them. */
    private List<PreparedDevice> preparedForOthers(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        Set<PoolId> pools =
                Allocations.devices(claim).stream().map(DeviceId::poolId).collect(Collectors.toSet());
        return cluster.holdersIn(pools).stream()
                .filter(other -> !other.getMetadata().getUid().equals(uid))
                .flatMap(other -> prepared(other, pools))
                .toList();
    }

    private static Stream<PreparedDevice> prepared(ResourceClaim claim, Set<PoolId> pools) {
        var devices = Allocations.devices(claim).stream()
                .filter(device -> pools.contains(device.poolId()))
                .distinct()
                .toList();
        var consumed = devices.isEmpty() ? Map.<DeviceId, Map<String, Quantity>>of() : Allocations.consumed(claim);
        return devices.stream()
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .flatMap(device -> Optional.ofNullable(DeviceStatuses.preparedAs(claim, device))
                        .map(groups -> new PreparedDevice(
                                device, ClaimReader.ref(claim), groups, consumed.getOrDefault(device, Map.of())))
                        .stream());
    }
}
