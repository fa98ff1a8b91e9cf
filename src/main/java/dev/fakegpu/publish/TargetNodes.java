package dev.fakegpu.publish;

import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.inventory.NodeReach;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.Node;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Which nodes a FakeGpu is on. */
final class TargetNodes {
    private TargetNodes() {}

    /**
     * From where devices are reached, one entry for each pool: the nodes that exist and are meant, in bytewise order of their names;
     * or all that reach network-attached devices together.
     */
    static List<NodeSelection> of(String fakeGpuName, NodesSpec spec, Collection<Node> existing) {
        if (spec.isNetworkAttached()) {
            return List.of(NodeReach.ofNetworkAttached(spec));
        }
        return existing.stream()
                .filter(node -> isMeant(fakeGpuName, spec, node))
                .map(node -> node.getMetadata().getName())
                .sorted()
                .<NodeSelection>map(NodeSelection.NodeName::new)
                .toList();
    }

    /** Names of the nodes that exist for this FakeGpu only; none unless {@code nodes.simulated} is set. */
    static List<String> simulated(String fakeGpuName, NodesSpec spec) {
        return spec.simulated() == null ? List.of() : spec.simulated().names(fakeGpuName);
    }

    private static boolean isMeant(String fakeGpuName, NodesSpec spec, Node node) {
        String name = node.getMetadata().getName();
        if (spec.selector() != null) {
            return matches(
                    spec.selector(),
                    Objects.requireNonNullElse(node.getMetadata().getLabels(), Map.of()));
        }
        return spec.names().contains(name)
                || (SimulatedNodes.belongsTo(node, fakeGpuName)
                        && simulated(fakeGpuName, spec).contains(name));
    }

    /** Label selectors and node selectors agree in their requirements; an empty label selector matches everything, though. */
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
