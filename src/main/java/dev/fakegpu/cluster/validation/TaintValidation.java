package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Taints of devices, tolerations, and DeviceTaintRules: {@code validateDeviceTaint}, {@code validateDeviceToleration}. */
final class TaintValidation {

    private static final List<String> EFFECTS = List.of("NoExecute", "NoSchedule", "None");
    private static final List<String> EFFECTS_BEFORE_NONE = List.of("NoExecute", "NoSchedule");
    private static final List<String> OPERATORS = List.of("Equal", "Exists");

    private TaintValidation() {}

    static void rule(JsonNode spec, FieldErrors errors) {
        JsonNode selector = spec.path("deviceSelector");
        if (selector.hasNonNull("driver")) {
            NameFormat.driver(
                    "spec.deviceSelector.driver", selector.path("driver").asText(), errors);
        }
        if (selector.hasNonNull("pool")) {
            NameFormat.pool("spec.deviceSelector.pool", selector.path("pool").asText(), errors);
        }
        if (selector.hasNonNull("device")) {
            String device = selector.path("device").asText();
            errors.invalid("spec.deviceSelector.device", device, NameFormat.label(device));
        }
        taint(spec.path("taint"), "spec.taint", errors);
    }

    static void taint(JsonNode taint, String path, FieldErrors errors) {
        String key = taint.path("key").asText();
        errors.invalid(path + ".key", key, NameFormat.labelKey(key));
        String value = taint.path("value").asText();
        errors.invalid(path + ".value", value, NameFormat.labelValue(value));
        String effect = taint.path("effect").asText();
        if (effect.isEmpty()) {
            errors.required(path + ".effect", "");
        } else {
            effect(effect, path + ".effect", errors);
        }
    }

    static void toleration(JsonNode toleration, String path, FieldErrors errors) {
        String key = toleration.path("key").asText();
        if (!key.isEmpty()) {
            errors.invalid(path + ".key", key, NameFormat.labelKey(key));
        }
        String operator = toleration.path("operator").asText();
        String value = toleration.path("value").asText();
        switch (operator) {
            case "Exists" -> {
                if (!value.isEmpty()) {
                    errors.invalid(path + ".value", value, "must be empty for operator `Exists`");
                }
            }
            case "", "Equal" -> errors.invalid(path + ".value", value, NameFormat.labelValue(value));
            default -> errors.unsupported(path + ".operator", operator, OPERATORS);
        }
        String effect = toleration.path("effect").asText();
        if (!effect.isEmpty()) {
            effect(effect, path + ".effect", errors);
        }
    }

    private static void effect(String effect, String path, FieldErrors errors) {
        List<String> known = errors.follows(VersionedRule.EFFECT_NONE) ? EFFECTS : EFFECTS_BEFORE_NONE;
        if (!known.contains(effect)) {
            errors.unsupported(path, effect, known);
        }
    }
}
