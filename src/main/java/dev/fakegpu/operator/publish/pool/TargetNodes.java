package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.kube.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The nodes that have the GPUs of a FakeGpu. */
public final class TargetNodes {
    private TargetNodes() {}

    /**
     * The nodes that can access the devices, one entry for each pool: each existing node that the spec selects, in bytewise order of names,
     * or a single entry for network-attached devices.
     */
    public static List<NodeSelection> of(FakeGpu fakeGpu, Collection<Node> existing) {
        NodesSpec spec = fakeGpu.getSpec().nodes();
        if (spec.isNetworkAttached()) {
            return List.of(NodeSelectorReader.ofNetworkAttached(spec));
        }
        return existing.stream()
                .filter(node -> isSelected(fakeGpu, spec, node))
                .map(node -> node.getMetadata().getName())
                .sorted()
                .<NodeSelection>map(NodeSelection.NodeName::new)
                .toList();
    }

    /** The nodes that {@link #of} has entries for; none for network-attached devices. */
    public static Stream<Node> existing(FakeGpu fakeGpu, ObjectStore<Node> nodes) {
        return of(fakeGpu, nodes.list()).stream()
                .flatMap(selected -> selected instanceof NodeSelection.NodeName one
                        ? nodes.get(null, one.name()).stream()
                        : Stream.of());
    }

    /** Names of the simulated nodes that the spec requests; none unless {@code nodes.simulated} is set. */
    static List<String> simulated(String fakeGpuName, NodesSpec spec) {
        return spec.simulated() == null ? List.of() : spec.simulated().names(fakeGpuName);
    }

    private static boolean isSelected(FakeGpu fakeGpu, NodesSpec spec, Node node) {
        String name = node.getMetadata().getName();
        if (spec.selector() != null) {
            return matches(
                    spec.selector(),
                    Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()));
        }
        return spec.names().contains(name)
                || (spec.simulated() != null
                        && spec.simulated().hasName(fakeGpu.getMetadata().getName(), name)
                        && SimulatedNode.isSimulatedFor(node, fakeGpu));
    }

    /** Label selectors have the same requirements as node selectors, but an empty label selector matches everything. */
    private static boolean matches(LabelSelector selector, Map<String, String> labels) {
        var requirements = new ArrayList<NodeSelector.Requirement>();
        Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
                .forEach((key, value) -> requirements.add(new NodeSelector.Requirement(key, "In", List.of(value))));
        if (selector.getMatchExpressions() != null) {
            selector.getMatchExpressions()
                    .forEach(expression -> requirements.add(new NodeSelector.Requirement(
                            expression.getKey(),
                            expression.getOperator(),
                            Objects.requireNonNullElse(expression.getValues(), List.of()))));
        }
        return requirements.isEmpty()
                || new NodeSelector(List.of(new NodeSelector.Term(requirements, List.of()))).matches("", labels);
    }
}
