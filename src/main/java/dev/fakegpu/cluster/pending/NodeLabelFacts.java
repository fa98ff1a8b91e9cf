package dev.fakegpu.cluster.pending;

import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.NodeSelector;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorTerm;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds labels that a pod requires of its node and that no node has, often because of a typo. */
final class NodeLabelFacts {

    /** Among more names, a similar one is no hint, and the comparison takes long. */
    private static final int MAX_COMPARED = 100;

    private NodeLabelFacts() {}

    /**
     * A label that a node must have.
     *
     * @param values the allowed values
     */
    private record Required(String key, List<String> values) {}

    /** One sentence for each such label. */
    static List<String> of(Pod pod, Collection<Node> nodes) {
        return required(pod)
                .flatMap(label -> sentence(label, nodes).stream())
                .distinct()
                .toList();
    }

    /** The labels of the node selector, and those of the required node affinity if it has no alternatives. */
    private static Stream<Required> required(Pod pod) {
        Stream<Required> selected = pod.getSpec().getNodeSelector().entrySet().stream()
                .map(label -> new Required(label.getKey(), List.of(label.getValue())));
        List<NodeSelectorTerm> terms = Optional.ofNullable(pod.getSpec().getAffinity())
                .map(Affinity::getNodeAffinity)
                .map(NodeAffinity::getRequiredDuringSchedulingIgnoredDuringExecution)
                .map(NodeSelector::getNodeSelectorTerms)
                .orElse(List.of());
        Stream<Required> affine = terms.stream()
                .limit(terms.size() == 1 ? 1 : 0)
                .flatMap(term -> term.getMatchExpressions().stream())
                .filter(expression -> "In".equals(expression.getOperator()))
                .map(NodeLabelFacts::required);
        return Stream.concat(selected, affine);
    }

    private static Required required(NodeSelectorRequirement expression) {
        return new Required(expression.getKey(), expression.getValues());
    }

    private static Optional<String> sentence(Required label, Collection<Node> nodes) {
        SortedSet<String> values = labels(nodes)
                .filter(known -> known.getKey().equals(label.key()))
                .map(Map.Entry::getValue)
                .collect(Collectors.toCollection(TreeSet::new));
        if (label.values().stream().anyMatch(values::contains)) {
            return Optional.empty();
        }
        if (values.isEmpty()) {
            SortedSet<String> keys =
                    labels(nodes).map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
            return Optional.of("the pod requires a node with label %s, which no node has%s"
                    .formatted(label.key(), hint(label.key(), keys)));
        }
        String hint = label.values().size() == 1 ? hint(label.values().get(0), values) : "";
        return Optional.of("the pod requires a node with label %s=%s, which no node has%s; nodes have %s"
                .formatted(label.key(), String.join(" or ", label.values()), hint, UnknownValues.listed(values)));
    }

    private static String hint(String written, SortedSet<String> names) {
        return names.size() > MAX_COMPARED ? "" : Suggestion.hint(written, names);
    }

    private static Stream<Map.Entry<String, String>> labels(Collection<Node> nodes) {
        return nodes.stream()
                .flatMap(node -> Stream.ofNullable(node.getMetadata().getLabels()))
                .flatMap(labels -> labels.entrySet().stream());
    }
}
