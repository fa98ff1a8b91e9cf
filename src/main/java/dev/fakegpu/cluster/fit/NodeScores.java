package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.wire.NodeSelectors;
import io.fabric8.kubernetes.api.model.NodeAffinity;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PreferredSchedulingTerm;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The sum of scores by which kube-scheduler's default profile chooses among nodes, without the score for images. Upstream: {@code
 * apis/config/v1/default_plugins.go} for the weights, and {@code Score} and {@code NormalizeScore} of the plugins.
 */
public final class NodeScores {

    static final long MAX = 100;

    private final Pod pod;
    private final Collection<SchedulableNode> all;
    private final NodeUsage usage;
    private final Function<String, Map<String, String>> namespaces;

    /**
     * @param all all nodes of the cluster
     * @param namespaces the labels of namespaces, by name
     */
    public NodeScores(
            Pod pod,
            Collection<SchedulableNode> all,
            NodeUsage usage,
            Function<String, Map<String, String>> namespaces) {
        this.pod = pod;
        this.all = List.copyOf(all);
        this.usage = usage;
        this.namespaces = namespaces;
    }

    /**
     * The sum of scores for each node, by name.
     *
     * @param feasible the nodes among which the scheduler chooses
     * @param ofDevices points for the chosen alternatives of prioritized lists, as the plugin DynamicResources gives them
     */
    public Map<String, Long> of(List<SchedulableNode> feasible, ToLongFunction<SchedulableNode> ofDevices) {
        var sums = new HashMap<String, Long>();
        var requests = PodRequests.of(pod);
        var nonZero = ResourceScores.nonZero(pod);
        for (SchedulableNode node : feasible) {
            var allocatable = NodeUsage.amounts(node.stored());
            long resources =
                    ResourceScores.leastAllocated(allocatable, ResourceScores.sum(usage.nonZero(node.name()), nonZero))
                            + ResourceScores.balanced(allocatable, usage.requested(node.name()), requests);
            sums.put(node.name(), resources);
        }
        add(sums, 3, share(feasible, this::untoleratedPreferences, true));
        add(sums, 2, share(feasible, this::preferredAffinity, false));
        add(sums, 2, share(feasible, ofDevices, false));
        add(sums, 2, new SpreadScores(pod, feasible, all, usage).normalized());
        add(sums, 2, nearOtherPods(feasible));
        return sums;
    }

    private static void add(Map<String, Long> sums, int weight, Map<String, Long> scores) {
        scores.forEach((node, score) -> sums.merge(node, weight * score, Long::sum));
    }

    /** Scales scores relative to the highest one. Upstream: {@code DefaultNormalizeScore} in {@code plugins/helper/normalize_score.go}. */
    private static Map<String, Long> share(
            List<SchedulableNode> nodes, ToLongFunction<SchedulableNode> score, boolean isReversed) {
        var scores = new HashMap<String, Long>();
        nodes.forEach(node -> scores.put(node.name(), score.applyAsLong(node)));
        long max = scores.values().stream().mapToLong(each -> each).max().orElse(0);
        scores.replaceAll((node, each) -> {
            long share = max == 0 ? 0 : MAX * each / max;
            return isReversed ? MAX - share : share;
        });
        return scores;
    }

    private long untoleratedPreferences(SchedulableNode node) {
        var spec = node.stored().getSpec();
        return spec == null
                ? 0
                : spec.getTaints().stream()
                        .filter(taint -> taint.getEffect().equals("PreferNoSchedule"))
                        .filter(taint -> !NodeFit.tolerates(pod, taint))
                        .count();
    }

    private long preferredAffinity(SchedulableNode node) {
        return Optional.ofNullable(pod.getSpec().getAffinity())
                .map(affinity -> affinity.getNodeAffinity())
                .map(NodeAffinity::getPreferredDuringSchedulingIgnoredDuringExecution)
                .orElse(List.of())
                .stream()
                .filter(term -> prefers(term, node))
                .mapToLong(PreferredSchedulingTerm::getWeight)
                .sum();
    }

    /** A preference without requirements matches nothing, as in {@code NewPreferredSchedulingTerms}. */
    private static boolean prefers(PreferredSchedulingTerm term, SchedulableNode node) {
        NodeSelector selector =
                NodeSelectors.read(new io.fabric8.kubernetes.api.model.NodeSelector(List.of(term.getPreference())));
        return selector.matches(node.name(), node.devices().labels());
    }

    /** Upstream: {@code plugins/interpodaffinity/scoring.go}. */
    private Map<String, Long> nearOtherPods(List<SchedulableNode> feasible) {
        var points = new HashMap<List<String>, Long>();
        var own = PodTerms.of(pod);
        if (!usage.hasTerms() && own.equals(PodTerms.NONE)) {
            return Map.of();
        }
        for (SchedulableNode node : all) {
            for (Pod other : usage.pods(node.name())) {
                own.preferred().forEach(each -> count(points, node, each, other));
                var theirs = PodTerms.of(other);
                theirs.preferred().forEach(each -> count(points, node, each, pod));
                theirs.near().forEach(term -> count(points, node, new PodTerms.Weighted(term, 1), pod));
            }
        }
        var scores = new HashMap<String, Long>();
        feasible.forEach(node -> scores.put(
                node.name(),
                points.entrySet().stream()
                        .filter(point -> Objects.equals(
                                node.devices().labels().get(point.getKey().get(0)),
                                point.getKey().get(1)))
                        .mapToLong(Map.Entry::getValue)
                        .sum()));
        long max = scores.values().stream().mapToLong(score -> score).max().orElse(0);
        long min = scores.values().stream().mapToLong(score -> score).min().orElse(0);
        scores.replaceAll((node, score) -> max == min ? 0 : (long) (MAX * ((double) (score - min) / (max - min))));
        return scores;
    }

    /** @param points by key and value of a node label */
    private void count(
            Map<List<String>, Long> points, SchedulableNode node, PodTerms.Weighted weighted, Pod candidate) {
        String place = node.devices().labels().get(weighted.term().topologyKey());
        if (place != null && weighted.term().matches(candidate, namespaces)) {
            points.merge(List.of(weighted.term().topologyKey(), place), weighted.weight(), Long::sum);
        }
    }
}
