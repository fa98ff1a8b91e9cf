package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Scores for spreading pods over nodes and zones: by the preferred constraints of a pod, or by kube-scheduler's defaults for pods of
 * ReplicaSets and StatefulSets. Upstream: {@code plugins/podtopologyspread/scoring.go}. Services are not considered.
 */
final class SpreadScores {

    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final Set<String> SPREAD = Set.of("ReplicaSet", "StatefulSet", "ReplicationController");

    /** A topology key and the pods that are counted. */
    private record Constraint(
            String topologyKey, int maxSkew, Predicate<Pod> counts, Predicate<SchedulableNode> includes) {}

    private final List<Constraint> constraints;
    private final List<SchedulableNode> scored;
    private final NodeUsage usage;
    private final Map<Constraint, Map<String, Long>> counts = new HashMap<>();
    private final Map<Constraint, Double> weights = new HashMap<>();

    /**
     * @param feasible the nodes among which the scheduler chooses
     * @param all all nodes of the cluster
     */
    SpreadScores(Pod pod, List<SchedulableNode> feasible, Collection<SchedulableNode> all, NodeUsage usage) {
        boolean isDefault = pod.getSpec().getTopologySpreadConstraints().isEmpty();
        this.usage = usage;
        constraints = isDefault ? defaults(pod) : own(pod);
        scored = feasible.stream().filter(node -> isDefault || hasAllKeys(node)).toList();
        for (Constraint constraint : constraints) {
            weights.put(constraint, Math.log(domains(constraint) + 2.0));
            counts.put(
                    constraint,
                    all.stream()
                            .filter(node -> isDefault || hasAllKeys(node))
                            .filter(constraint.includes())
                            .collect(Collectors.groupingBy(
                                    node -> value(node, constraint),
                                    Collectors.summingLong(node -> count(node, constraint)))));
        }
    }

    private static List<Constraint> own(Pod pod) {
        return pod.getSpec().getTopologySpreadConstraints().stream()
                .filter(each -> "ScheduleAnyway".equals(each.getWhenUnsatisfiable()))
                .map(each -> new Constraint(
                        each.getTopologyKey(),
                        each.getMaxSkew(),
                        other -> counts(each, pod, other),
                        node -> includes(each, pod, node)))
                .toList();
    }

    /** Upstream: {@code systemDefaultConstraints} in {@code plugin.go} and {@code DefaultSelector} in {@code plugins/helper/spread.go}. */
    private static List<Constraint> defaults(Pod pod) {
        return controller(pod).filter(owner -> SPREAD.contains(owner.getKind())).stream()
                .<Predicate<Pod>>map(owner -> other -> controller(other)
                        .filter(each -> each.getUid().equals(owner.getUid()))
                        .isPresent())
                .flatMap(counts -> List.of(
                        new Constraint(HOSTNAME, 3, counts, node -> NodeFit.matchesSelector(node.stored(), pod)),
                        new Constraint(
                                "topology.kubernetes.io/zone",
                                5,
                                counts,
                                node -> NodeFit.matchesSelector(node.stored(), pod)))
                        .stream())
                .toList();
    }

    private static Optional<OwnerReference> controller(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst();
    }

    /** The number of pods that a constraint of a pod matches; terminating pods do not count. Upstream: {@code countPodsMatchSelector}. */
    static long count(Collection<Pod> pods, TopologySpreadConstraint constraint, Pod pod) {
        return pods.stream()
                .filter(other -> other.getMetadata().getDeletionTimestamp() == null)
                .filter(other -> counts(constraint, pod, other))
                .count();
    }

    private static boolean counts(TopologySpreadConstraint constraint, Pod pod, Pod other) {
        return LabelSelectors.matches(constraint.getLabelSelector(), SchedulableNode.labels(other))
                && !LabelSelectors.isEmpty(constraint.getLabelSelector())
                && hasSameLabels(constraint, pod, other)
                && pod.getMetadata().getNamespace().equals(other.getMetadata().getNamespace());
    }

    private static boolean hasSameLabels(TopologySpreadConstraint constraint, Pod pod, Pod other) {
        var labels = SchedulableNode.labels(pod);
        return constraint.getMatchLabelKeys().stream()
                .filter(labels::containsKey)
                .allMatch(key -> Objects.equals(
                        labels.get(key), SchedulableNode.labels(other).get(key)));
    }

    /** Whether the node's pods count. Upstream: {@code matchNodeInclusionPolicies}. */
    static boolean includes(TopologySpreadConstraint constraint, Pod pod, SchedulableNode node) {
        return ("Ignore".equals(constraint.getNodeAffinityPolicy()) || NodeFit.matchesSelector(node.stored(), pod))
                && (!"Honor".equals(constraint.getNodeTaintsPolicy()) || NodeFit.isTolerated(node.stored(), pod));
    }

    private boolean hasAllKeys(SchedulableNode node) {
        return constraints.stream()
                .allMatch(constraint -> node.devices().labels().containsKey(constraint.topologyKey()));
    }

    private static String value(SchedulableNode node, Constraint constraint) {
        return node.devices().labels().getOrDefault(constraint.topologyKey(), "");
    }

    private long domains(Constraint constraint) {
        return constraint.topologyKey().equals(HOSTNAME)
                ? scored.size()
                : scored.stream()
                        .map(node -> value(node, constraint))
                        .distinct()
                        .count();
    }

    private long count(SchedulableNode node, Constraint constraint) {
        return usage.pods(node.name()).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(constraint.counts())
                .count();
    }

    /** The scores by node; empty if there is nothing to score. */
    Map<String, Long> normalized() {
        var scores = new HashMap<String, Long>();
        if (constraints.isEmpty()) {
            return scores;
        }
        scored.forEach(node -> scores.put(node.name(), score(node)));
        long max = scores.values().stream().mapToLong(score -> score).max().orElse(0);
        long min = scores.values().stream().mapToLong(score -> score).min().orElse(0);
        scores.replaceAll((node, score) -> max == 0 ? NodeScores.MAX : NodeScores.MAX * (max + min - score) / max);
        return scores;
    }

    private long score(SchedulableNode node) {
        double score = 0;
        for (Constraint constraint : constraints) {
            if (node.devices().labels().containsKey(constraint.topologyKey())) {
                long count = constraint.topologyKey().equals(HOSTNAME)
                        ? count(node, constraint)
                        : Objects.requireNonNull(counts.get(constraint)).getOrDefault(value(node, constraint), 0L);
                score += count * Objects.requireNonNull(weights.get(constraint)) + (constraint.maxSkew() - 1);
            }
        }
        return Math.round(score);
    }
}
