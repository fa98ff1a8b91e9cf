package dev.fakegpu.prepare;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.inventory.Inventory;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.slices.Retention;
import dev.fakegpu.slices.Retention.Published;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What preparation on one node looks at, out of all that is in the cluster. */
final class NodeView {

    private final ClusterWatch cluster;
    private final InventoryPlanner planner;
    private final String node;

    NodeView(ClusterWatch cluster, InventoryPlanner planner, String node) {
        this.cluster = cluster;
        this.planner = planner;
        this.node = node;
    }

    static boolean isSimulated(Node node) {
        return labels(node.getMetadata().getLabels()).containsKey(Labels.SIMULATED);
    }

    PreparationCheck checkFor(ClaimRef claim) {
        return new PreparationCheck(hardware(), published(), preparedForOthers(claim));
    }

    /** The groups that the slices declare now, for a claim that was allocated without recording them. */
    Optional<CompatibilityGroups> declaredGroups(DeviceId id) {
        return slices().map(GroupsAnnotation::read)
                .filter(slice -> slice.pool().equals(id.poolId()))
                .flatMap(slice -> slice.devices().stream())
                .filter(device -> device.name().equals(id.device()))
                .map(Device::compatibilityGroups)
                .findFirst();
    }

    private Hardware hardware() {
        Map<PoolId, Inventory> pools = new HashMap<>();
        slices().forEach(slice -> {
            var pool = new PoolId(
                    slice.getSpec().getDriver(), slice.getSpec().getPool().getName());
            owner(slice)
                    .filter(fakeGpu -> !pools.containsKey(pool))
                    .ifPresent(fakeGpu -> pools.put(pool, inventory(fakeGpu, pool)));
        });
        return new Hardware(pools);
    }

    /**
     * What the FakeGpu models, and beside it devices that a change has not reached yet. While its spec is refused, what is still
     * published of it, which then is all that is known.
     */
    private Inventory inventory(FakeGpu fakeGpu, PoolId pool) {
        var spec = fakeGpu.getSpec();
        var name = fakeGpu.getMetadata().getName();
        var published = published(pool);
        if (!planner.check(spec, name).isEmpty()) {
            return new Inventory(
                    Math.max(1, published.counterSets().size()), published.counterSets(), published.devices());
        }
        var planned = planner.plan(spec, name, spec.nodes().isNetworkAttached() ? "" : node);
        var hardware = new Published(planned.counterSets(), planned.devices()).with(published.only(pending(published)));
        return new Inventory(planned.gpus(), hardware.counterSets(), hardware.devices());
    }

    private static Set<String> pending(Published published) {
        return published.devices().stream()
                .filter(Retention::isPending)
                .map(Device::name)
                .collect(Collectors.toSet());
    }

    private Published published(PoolId pool) {
        var slices = slices().map(GroupsAnnotation::read)
                .filter(slice -> slice.pool().equals(pool))
                .toList();
        return new Published(
                slices.stream().flatMap(slice -> slice.counterSets().stream()).toList(),
                slices.stream().flatMap(slice -> slice.devices().stream()).toList());
    }

    private Optional<FakeGpu> owner(ResourceSlice slice) {
        return Optional.ofNullable(labels(slice.getMetadata().getLabels()).get(Labels.FAKEGPU))
                .flatMap(name -> cluster.fakeGpus().get(null, name));
    }

    private Set<DeviceId> published() {
        return slices().map(GroupsAnnotation::read)
                .flatMap(slice ->
                        slice.devices().stream().map(device -> slice.pool().device(device.name())))
                .collect(Collectors.toSet());
    }

    private List<PreparedDevice> preparedForOthers(ClaimRef claim) {
        return cluster.claims().list().stream()
                .filter(other -> !other.getMetadata().getUid().equals(claim.uid()))
                .flatMap(NodeView::prepared)
                .toList();
    }

    private static Stream<PreparedDevice> prepared(ResourceClaim claim) {
        var consumed = Allocations.consumed(claim);
        return Allocations.devices(claim).stream()
                .distinct()
                .filter(device -> DeviceStatuses.isPrepared(claim, device))
                .flatMap(device -> Optional.ofNullable(DeviceStatuses.preparedAs(claim, device))
                        .map(groups -> new PreparedDevice(
                                device, ClaimReader.ref(claim), groups, consumed.getOrDefault(device, Map.of())))
                        .stream());
    }

    /** Those of the node, and those of network-attached devices: who may use them was decided at allocation. */
    private Stream<ResourceSlice> slices() {
        return cluster.slices().list().stream().filter(slice -> {
            var onNode = slice.getSpec().getNodeName();
            return onNode == null || onNode.equals(node);
        });
    }

    private static Map<String, String> labels(@Nullable Map<String, String> labels) {
        return Objects.requireNonNullElse(labels, Map.of());
    }
}
