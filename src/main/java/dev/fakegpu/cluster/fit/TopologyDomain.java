package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes on which all pods of a PodGroup with a topology constraint must run. */
public final class TopologyDomain {

    private TopologyDomain() {}

    /**
     * The nodes that remain once some pods have a node; none if these nodes have different values.
     *
     * @param key a node label that must have the same value for all pods; empty if there is no constraint
     * @param bound the pods that have a node
     * @param nodes in the order of the result
     */
    public static List<SchedulableNode> of(Optional<String> key, Collection<Pod> bound, List<SchedulableNode> nodes) {
        if (key.isEmpty() || bound.isEmpty()) {
            return nodes;
        }
        Set<String> names =
                bound.stream().map(pod -> pod.getSpec().getNodeName()).collect(Collectors.toSet());
        Set<Optional<String>> values = nodes.stream()
                .filter(node -> names.contains(node.name()))
                .map(node -> value(node, key.get()))
                .collect(Collectors.toSet());
        return nodes.stream()
                .filter(node -> values.equals(Set.of(value(node, key.get()))))
                .toList();
    }

    private static Optional<String> value(SchedulableNode node, String key) {
        return Optional.ofNullable(node.devices().labels().get(key));
    }
}
