package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinity;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAntiAffinity;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The affinity and anti-affinity terms of a pod.
 *
 * @param near required affinity
 * @param apart required anti-affinity
 * @param preferred preferred terms with their weights; those of anti-affinity are negative
 */
record PodTerms(List<Term> near, List<Term> apart, List<Weighted> preferred) {

    /**
     * A term: the labels and namespaces of pods, and the topology key.
     *
     * @param owner the pod that has the term
     */
    record Term(Pod owner, PodAffinityTerm stored) {

        String topologyKey() {
            return stored.getTopologyKey();
        }

        /**
         * Upstream: {@code AffinityTerm.Matches} in {@code framework/types.go}. The API server adds {@code matchLabelKeys} and {@code
         * mismatchLabelKeys} to the selector; the same is done here.
         *
         * @param namespaces the labels of namespaces, by name
         */
        boolean matches(Pod pod, Function<String, Map<String, String>> namespaces) {
            String namespace = pod.getMetadata().getNamespace();
            boolean isOwn = stored.getNamespaces().isEmpty()
                    && stored.getNamespaceSelector() == null
                    && namespace.equals(owner.getMetadata().getNamespace());
            boolean isInNamespace = isOwn
                    || stored.getNamespaces().contains(namespace)
                    || LabelSelectors.isEmpty(stored.getNamespaceSelector())
                    || LabelSelectors.matches(stored.getNamespaceSelector(), namespaces.apply(namespace));
            return isInNamespace
                    && LabelSelectors.matches(stored.getLabelSelector(), SchedulableNode.labels(pod))
                    && keysMatch(pod);
        }

        private boolean keysMatch(Pod pod) {
            var expressions = Stream.concat(
                            requirements(stored.getMatchLabelKeys(), "In"),
                            requirements(stored.getMismatchLabelKeys(), "NotIn"))
                    .toList();
            return LabelSelectors.matches(
                    new LabelSelectorBuilder().withMatchExpressions(expressions).build(), SchedulableNode.labels(pod));
        }

        private Stream<LabelSelectorRequirement> requirements(List<String> keys, String operator) {
            var labels = SchedulableNode.labels(owner);
            return keys.stream()
                    .flatMap(key -> Optional.ofNullable(labels.get(key)).stream()
                            .map(value -> new LabelSelectorRequirement(key, operator, List.of(value))));
        }
    }

    record Weighted(Term term, long weight) {}

    static final PodTerms NONE = new PodTerms(List.of(), List.of(), List.of());

    static PodTerms of(Pod pod) {
        Affinity affinity = pod.getSpec().getAffinity();
        if (affinity == null || (affinity.getPodAffinity() == null && affinity.getPodAntiAffinity() == null)) {
            return NONE;
        }
        var near = Optional.ofNullable(affinity.getPodAffinity()).orElseGet(PodAffinity::new);
        var apart = Optional.ofNullable(affinity.getPodAntiAffinity()).orElseGet(PodAntiAffinity::new);
        return new PodTerms(
                terms(pod, near.getRequiredDuringSchedulingIgnoredDuringExecution()),
                terms(pod, apart.getRequiredDuringSchedulingIgnoredDuringExecution()),
                Stream.concat(
                                weighted(pod, near.getPreferredDuringSchedulingIgnoredDuringExecution(), 1),
                                weighted(pod, apart.getPreferredDuringSchedulingIgnoredDuringExecution(), -1))
                        .toList());
    }

    private static List<Term> terms(Pod pod, List<PodAffinityTerm> terms) {
        return terms.stream().map(term -> new Term(pod, term)).toList();
    }

    private static Stream<Weighted> weighted(Pod pod, List<WeightedPodAffinityTerm> terms, int sign) {
        return terms.stream()
                .map(each -> new Weighted(new Term(pod, each.getPodAffinityTerm()), (long) sign * each.getWeight()));
    }
}
