package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;

/** Label selectors of workloads: {@code ValidateLabelSelector} and {@code LabelSelectorAsSelector} of {@code k8s.io/apimachinery}. */
final class LabelSelectorValidation {

    private LabelSelectorValidation() {}

    static void check(JsonNode selector, String path, FieldErrors errors) {
        MetadataValidation.labels(selector.path("matchLabels"), path + ".matchLabels", errors);
        JsonNode expressions = selector.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            requirement(expressions.get(i), path + ".matchExpressions[" + i + "]", errors);
        }
    }

    /** {@code ValidateLabelSelectorRequirement}. */
    static void requirement(JsonNode requirement, String path, FieldErrors errors) {
        JsonNode values = requirement.path("values");
        String operator = requirement.path("operator").asText("");
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.required(path + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.forbidden(
                            path + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> errors.invalid(path + ".operator", operator, "not a valid selector operator");
        }
        keyAndValues(requirement, path, errors);
    }

    static void keyAndValues(JsonNode requirement, String path, FieldErrors errors) {
        String key = requirement.path("key").asText("");
        errors.invalid(path + ".key", key, NameFormat.labelKey(key));
        JsonNode values = requirement.path("values");
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i).asText();
            errors.invalid(path + ".values[" + i + "]", value, NameFormat.labelValue(value));
        }
    }

    static boolean isEmpty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** @param selector a valid selector */
    static boolean matches(JsonNode selector, JsonNode labels) {
        boolean matchesLabels = selector.path("matchLabels")
                .propertyStream()
                .allMatch(entry -> labels.has(entry.getKey())
                        && labels.path(entry.getKey())
                                .asText()
                                .equals(entry.getValue().asText()));
        return matchesLabels
                && selector.path("matchExpressions").valueStream().allMatch(requirement -> meets(labels, requirement));
    }

    private static boolean meets(JsonNode labels, JsonNode requirement) {
        JsonNode label = labels.path(requirement.path("key").asText());
        boolean isListed = !label.isMissingNode()
                && requirement
                        .path("values")
                        .valueStream()
                        .anyMatch(value -> value.asText().equals(label.asText()));
        return switch (requirement.path("operator").asText()) {
            case "In" -> isListed;
            case "NotIn" -> !isListed;
            case "Exists" -> !label.isMissingNode();
            default -> label.isMissingNode();
        };
    }
}
