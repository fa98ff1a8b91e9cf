package dev.fakegpu.prepare;

import dev.fakegpu.api.FaultSpec;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What preparation on one node looks at, out of all that is in the cluster. */
final class NodeSnapshot {

    private final ClusterWatch cluster;
    private final NodeInventory gpus;

    NodeSnapshot(ClusterWatch cluster, InventoryPlanner planner, String node) {
        this.cluster = cluster;
        this.gpus = new NodeInventory(
                planner,
                node,
                cluster.slices().list(),
                cluster.sliceReads()::withGroups,
                name -> cluster.fakeGpus().get(null, name));
    }

    static boolean isSimulated(Node node) {
        return labels(node.getMetadata().getLabels()).containsKey(Labels.SIMULATED);
    }

    ClaimValidator checkFor(ResourceClaim claim) {
        return new ClaimValidator(gpus, preparedForOthers(claim));
    }

    Map<DeviceId, DeviceHealths.Health> healths() {
        return gpus.healths();
    }

    /** The faults that a call for these devices of the claim can meet. */
    List<InjectedFault> faults(FaultSpec.Operation operation, ResourceClaim claim, List<DeviceId> devices) {
        return gpus.faults(operation, labels(claim.getMetadata().getLabels()), devices);
    }

    /** The groups that the slices declare now, for a claim that was allocated without recording them. */
    Optional<CompatibilityGroups> declaredGroups(DeviceId id) {
        return gpus.declaredGroups(id);
    }

    /** Devices of other pools have nothing in common with those of the claim. */
    private List<PreparedDevice> preparedForOthers(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        Set<PoolId> pools =
                Allocations.devices(claim).stream().map(DeviceId::poolId).collect(Collectors.toSet());
        return cluster.claims().list().stream()
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

    private static Map<String, String> labels(@Nullable Map<String, String> labels) {
        return Objects.requireNonNullElse(labels, Map.of());
    }
}
