package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Required topology spread constraints. Upstream: {@code plugins/podtopologyspread/filtering.go}. */
final class SpreadLimits {

    private final Pod pod;
    private final List<TopologySpreadConstraint> constraints;

    /** The number of pods on all nodes that count, by value of the label. */
    private final Map<TopologySpreadConstraint, Map<String, Long>> counts = new HashMap<>();

    /** @param nodes all nodes of the cluster */
    SpreadLimits(Pod pod, Collection<SchedulableNode> nodes, NodeUsage usage) {
        this.pod = pod;
        constraints = required(pod);
        for (TopologySpreadConstraint constraint : constraints) {
            var ofConstraint = counts.computeIfAbsent(constraint, ignored -> new HashMap<>());
            nodes.stream()
                    .filter(node -> constraints.stream().allMatch(each -> value(node, each) != null))
                    .filter(node -> SpreadScores.includes(constraint, pod, node))
                    .forEach(node -> ofConstraint.merge(
                            Objects.requireNonNull(value(node, constraint)),
                            SpreadScores.count(usage.pods(node.name()), constraint, pod),
                            Long::sum));
        }
    }

    static boolean concerns(Pod pod) {
        return !required(pod).isEmpty();
    }

    boolean isRequired() {
        return !constraints.isEmpty();
    }

    private static List<TopologySpreadConstraint> required(Pod pod) {
        return pod.getSpec().getTopologySpreadConstraints().stream()
                .filter(each -> !"ScheduleAnyway".equals(each.getWhenUnsatisfiable()))
                .toList();
    }

    private static @Nullable String value(SchedulableNode node, TopologySpreadConstraint constraint) {
        return node.devices().labels().get(constraint.getTopologyKey());
    }

    Optional<String> problem(SchedulableNode node) {
        return constraints.stream()
                .flatMap(constraint -> problem(node, constraint).stream())
                .findFirst();
    }

    private Optional<String> problem(SchedulableNode node, TopologySpreadConstraint constraint) {
        String value = value(node, constraint);
        if (value == null) {
            return Optional.of(FitMessages.lacksTopologyLabel());
        }
        Map<String, Long> byValue = counts.getOrDefault(constraint, Map.of());
        int minDomains = Objects.requireNonNullElse(constraint.getMinDomains(), 1);
        long least = byValue.size() < minDomains
                ? 0
                : byValue.values().stream().mapToLong(count -> count).min().orElse(0);
        long self = LabelSelectors.matches(constraint.getLabelSelector(), SchedulableNode.labels(pod)) ? 1 : 0;
        return byValue.getOrDefault(value, 0L) + self - least > constraint.getMaxSkew()
                ? Optional.of(FitMessages.notSpread())
                : Optional.empty();
    }
}
