package dev.fakegpu.cluster.quota;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ScopedResourceSelectorRequirement;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Determines which pods a quota counts ({@code podMatchesScopeFunc}). */
final class QuotaScopes {

    private QuotaScopes() {}

    static boolean areNone(ResourceQuota quota) {
        return quota.getSpec().getScopes().isEmpty()
                && ofSelector(quota).findAny().isEmpty();
    }

    static boolean include(ResourceQuota quota, Pod pod) {
        return quota.getSpec().getScopes().stream().allMatch(scope -> matches(scope, pod))
                && ofSelector(quota)
                        .allMatch(each -> each.getScopeName().equals("PriorityClass")
                                ? isOfClass(each, pod)
                                : matches(each.getScopeName(), pod));
    }

    private static Stream<ScopedResourceSelectorRequirement> ofSelector(ResourceQuota quota) {
        var selector = quota.getSpec().getScopeSelector();
        return selector == null ? Stream.of() : selector.getMatchExpressions().stream();
    }

    private static boolean matches(String scope, Pod pod) {
        return switch (scope) {
            case "Terminating" -> isTerminating(pod);
            case "NotTerminating" -> !isTerminating(pod);
            case "BestEffort" -> PodQuotaUsage.isBestEffort(pod);
            case "NotBestEffort" -> !PodQuotaUsage.isBestEffort(pod);
            case "PriorityClass" -> pod.getSpec().getPriorityClassName() != null;
            case "CrossNamespacePodAffinity" -> crossesNamespaces(pod);
            default -> false;
        };
    }

    private static boolean isTerminating(Pod pod) {
        return pod.getSpec().getActiveDeadlineSeconds() != null && pod.getSpec().getActiveDeadlineSeconds() >= 0;
    }

    private static boolean isOfClass(ScopedResourceSelectorRequirement expression, Pod pod) {
        String name = pod.getSpec().getPriorityClassName();
        return switch (expression.getOperator()) {
            case "In" -> name != null && expression.getValues().contains(name);
            case "NotIn" -> name == null || !expression.getValues().contains(name);
            case "Exists" -> name != null;
            default -> name == null;
        };
    }

    private static boolean crossesNamespaces(Pod pod) {
        var affinity = pod.getSpec().getAffinity();
        if (affinity == null) {
            return false;
        }
        Stream<PodAffinityTerm> together = affinity.getPodAffinity() == null
                ? Stream.of()
                : Stream.concat(
                        affinity.getPodAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
                        affinity.getPodAffinity().getPreferredDuringSchedulingIgnoredDuringExecution().stream()
                                .map(each -> each.getPodAffinityTerm()));
        Stream<PodAffinityTerm> apart = affinity.getPodAntiAffinity() == null
                ? Stream.of()
                : Stream.concat(
                        affinity.getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().stream(),
                        affinity.getPodAntiAffinity().getPreferredDuringSchedulingIgnoredDuringExecution().stream()
                                .map(each -> each.getPodAffinityTerm()));
        return Stream.concat(together, apart)
                .anyMatch(term -> !Objects.requireNonNullElse(term.getNamespaces(), List.of())
                                .isEmpty()
                        || term.getNamespaceSelector() != null);
    }
}
