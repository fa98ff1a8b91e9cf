package dev.fakegpu.cluster.fit;

import dev.fakegpu.cluster.fit.PodTerms.Term;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Checks whether other pods keep a pod off a node: because of its own required affinity and anti-affinity, the anti-affinity of other pods,
 * or topology spread constraints. Upstream: {@code filtering.go} of {@code plugins/interpodaffinity} and {@code plugins/podtopologyspread}.
 * An instance is valid until a pod or a node changes.
 */
public final class OtherPodsFit {

    /** A topology domain of a term: a label with its value. */
    private record Place(String key, String value) {}

    private final Pod pod;
    private final Function<String, Map<String, String>> namespaces;
    private final PodTerms own;
    private final boolean hasTerms;
    private final SpreadLimits spread;
    private final Map<Place, Integer> avoided = new HashMap<>();
    private final Map<Term, Map<Place, Integer>> apart = new HashMap<>();
    private final Map<Term, Map<Place, Integer>> near = new HashMap<>();

    /**
     * @param nodes all nodes of the cluster
     * @param namespaces the labels of namespaces, by name
     */
    public OtherPodsFit(
            Pod pod,
            Collection<SchedulableNode> nodes,
            NodeUsage usage,
            Function<String, Map<String, String>> namespaces) {
        this.pod = pod;
        this.namespaces = namespaces;
        own = PodTerms.of(pod);
        spread = new SpreadLimits(pod, nodes, usage);
        hasTerms = usage.hasTerms() || !own.equals(PodTerms.NONE);
        if (hasTerms) {
            nodes.forEach(node -> usage.pods(node.name()).forEach(other -> count(node, other)));
        }
    }

    /** Whether the result may depend on the pod's labels or on where other pods are. */
    boolean matter() {
        return hasTerms || spread.isRequired();
    }

    /** Whether a pod has fields that make it depend on where other pods are. */
    public static boolean concerns(Pod pod) {
        var terms = PodTerms.of(pod);
        return !terms.near().isEmpty() || !terms.apart().isEmpty() || SpreadLimits.concerns(pod);
    }

    private void count(SchedulableNode node, Pod other) {
        PodTerms.of(other).apart().stream()
                .filter(term -> term.matches(pod, namespaces))
                .forEach(term -> count(avoided, node, term));
        own.apart().stream()
                .filter(term -> term.matches(other, namespaces))
                .forEach(term -> count(apart.computeIfAbsent(term, ignored -> new HashMap<>()), node, term));
        if (!own.near().isEmpty() && own.near().stream().allMatch(term -> term.matches(other, namespaces))) {
            own.near().forEach(term -> count(near.computeIfAbsent(term, ignored -> new HashMap<>()), node, term));
        }
    }

    private static void count(Map<Place, Integer> counts, SchedulableNode node, Term term) {
        String value = node.devices().labels().get(term.topologyKey());
        if (value != null) {
            counts.merge(new Place(term.topologyKey(), value), 1, Integer::sum);
        }
    }

    /** Why the node does not fit; empty if it does. */
    Optional<String> problem(SchedulableNode node) {
        return spread.problem(node).or(() -> {
            if (!isNear(node)) {
                return Optional.of(FitMessages.notNear());
            }
            if (own.apart().stream().anyMatch(term -> isIn(apart.getOrDefault(term, Map.of()), node, term))) {
                return Optional.of(FitMessages.notApart());
            }
            boolean isAvoided = avoided.keySet().stream()
                    .anyMatch(place ->
                            place.value().equals(node.devices().labels().get(place.key())));
            return isAvoided ? Optional.of(FitMessages.avoided()) : Optional.empty();
        });
    }

    /** The first pod of a group that has affinity to itself may be placed on any node with the labels. */
    private boolean isNear(SchedulableNode node) {
        Predicate<Term> hasKey = term -> node.devices().labels().containsKey(term.topologyKey());
        if (!own.near().stream().allMatch(hasKey)) {
            return false;
        }
        boolean isFirst = near.values().stream().allMatch(Map::isEmpty)
                && own.near().stream().allMatch(term -> term.matches(pod, namespaces));
        return isFirst || own.near().stream().allMatch(term -> isIn(near.getOrDefault(term, Map.of()), node, term));
    }

    private static boolean isIn(Map<Place, Integer> counts, SchedulableNode node, Term term) {
        String value = node.devices().labels().get(term.topologyKey());
        return value != null && counts.containsKey(new Place(term.topologyKey(), value));
    }
}
