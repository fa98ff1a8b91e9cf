package dev.fakegpu.cli;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.dra.wire.SliceWriter;
import dev.fakegpu.hardware.slices.PoolLocations;
import dev.fakegpu.hardware.slices.SliceRenderer;
import dev.fakegpu.operator.publish.SimulatedNodes;
import dev.fakegpu.operator.publish.TargetNodes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the operator would publish for a FakeGpu in a cluster, as if no device were in use. */
final class PlannedFakeGpu {

    private static final String NOT_CREATED = "9999-01-01T00:00:00Z";

    private final FakeGpus.Named named;
    private final ClusterObjects cluster;
    private final FakeGpu fakeGpu;
    private final List<Slice> slices;

    PlannedFakeGpu(FakeGpus.Named named, ClusterObjects cluster, SliceRenderer renderer) {
        this.named = named;
        this.cluster = cluster;
        fakeGpu = new FakeGpu();
        fakeGpu.setMetadata(new ObjectMetaBuilder()
                .withName(named.name())
                .withUid(cluster.fakeGpu(named.name())
                        .map(existing -> existing.getMetadata().getUid())
                        .orElse("FakeGpu/" + named.name()))
                .withCreationTimestamp(NOT_CREATED)
                .build());
        fakeGpu.setSpec(named.spec());
        NodesSpec nodes = named.spec().nodes();
        List<String> names = nodeNames(nodes);
        slices = names.isEmpty() && !nodes.isNetworkAttached()
                ? List.of()
                : renderer.slices(named.name(), named.spec(), PoolLocations.of(named.name(), nodes, names));
    }

    private List<String> nodeNames(NodesSpec nodes) {
        return nodes.simulated() != null
                ? nodes.simulated().names(named.name())
                : TargetNodes.of(fakeGpu, cluster.nodes()).stream()
                        .flatMap(selection -> selection instanceof NodeSelection.NodeName only
                                ? Stream.of(only.name())
                                : Stream.empty())
                        .toList();
    }

    /** Slices that are published for it now. */
    boolean isReplaced(HasMetadata object) {
        return object instanceof ResourceSlice && FakeGpuOwner.name(object).equals(Optional.of(named.name()));
    }

    /** The FakeGpu, its slices, and its simulated nodes. */
    List<HasMetadata> objects() {
        var objects = new ArrayList<HasMetadata>(List.of(fakeGpu));
        slices.forEach(slice -> objects.add(new ResourceSliceBuilder(SliceWriter.write(slice))
                .editMetadata()
                .withUid("ResourceSlice/" + slice.name())
                .withCreationTimestamp(NOT_CREATED)
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                .endMetadata()
                .build()));
        NodesSpec.Simulated simulated = named.spec().nodes().simulated();
        if (simulated != null) {
            Map<String, Node> existing = cluster.nodes().stream()
                    .collect(Collectors.toMap(node -> node.getMetadata().getName(), node -> node));
            simulated.names(named.name()).stream()
                    .flatMap(name -> node(simulated, name, existing.get(name)).stream())
                    .forEach(objects::add);
        }
        return objects;
    }

    /** Empty if the name is taken by a node that does not belong to the FakeGpu. */
    private Optional<Node> node(NodesSpec.Simulated spec, String name, @Nullable Node existing) {
        if (existing == null) {
            return Optional.of(node(spec, name));
        }
        return SimulatedNode.isSimulatedFor(existing, fakeGpu)
                ? Optional.of(SimulatedNodes.adjusted(existing, fakeGpu, spec))
                : Optional.empty();
    }

    private Node node(NodesSpec.Simulated spec, String name) {
        return new NodeBuilder(SimulatedNodes.of(fakeGpu, spec, name))
                .editMetadata()
                .withUid("Node/" + name)
                .withCreationTimestamp(NOT_CREATED)
                .endMetadata()
                .editStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    /** What is said of devices in use that the FakeGpu would no longer have. */
    List<String> notes(List<AllocatedDevice> allocated) {
        Set<DeviceId> planned = devices(slices.stream());
        long lost = allocated.stream()
                .map(AllocatedDevice::id)
                .distinct()
                .filter(devices(
                        cluster.slices().stream().filter(this::isReplaced).map(SliceReader::read))::contains)
                .filter(device -> !planned.contains(device))
                .count();
        return lost == 0
                ? List.of()
                : List.of("FakeGpu %s: %s device(s) in use would go; the operator keeps them until they are released"
                        .formatted(named.name(), lost));
    }

    private static Set<DeviceId> devices(Stream<Slice> slices) {
        return slices.flatMap(slice ->
                        slice.devices().stream().map(device -> slice.pool().device(device.name())))
                .collect(Collectors.toSet());
    }
}
