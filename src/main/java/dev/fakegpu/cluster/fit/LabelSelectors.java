package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Matches label selectors. Upstream: {@code LabelSelectorAsSelector} in {@code k8s.io/apimachinery/pkg/apis/meta/v1}. */
public final class LabelSelectors {
    private LabelSelectors() {}

    /** A selector without requirements matches everything; null matches nothing. */
    public static boolean matches(@Nullable LabelSelector selector, Map<String, String> labels) {
        return selector != null
                && labels.entrySet()
                        .containsAll(Objects.requireNonNullElse(selector.getMatchLabels(), Map.<String, String>of())
                                .entrySet())
                && selector.getMatchExpressions().stream().allMatch(requirement -> matches(requirement, labels));
    }

    public static boolean isEmpty(@Nullable LabelSelector selector) {
        return selector != null
                && Objects.requireNonNullElse(selector.getMatchLabels(), Map.of())
                        .isEmpty()
                && selector.getMatchExpressions().isEmpty();
    }

    private static boolean matches(LabelSelectorRequirement requirement, Map<String, String> labels) {
        String actual = labels.get(requirement.getKey());
        return switch (requirement.getOperator()) {
            case "In" -> actual != null && requirement.getValues().contains(actual);
            case "NotIn" -> actual == null || !requirement.getValues().contains(actual);
            case "Exists" -> actual != null;
            case "DoesNotExist" -> actual == null;
            default -> false;
        };
    }
}
