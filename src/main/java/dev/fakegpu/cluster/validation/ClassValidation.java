package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;

/** DeviceClasses: {@code ValidateDeviceClass} and the rules of {@code DeviceClassSpec}. */
final class ClassValidation {

    private ClassValidation() {}

    static void check(JsonNode spec, FieldErrors errors) {
        SelectorValidation.check(spec.path("selectors"), "spec.selectors", errors);
        JsonNode configs = spec.path("config");
        if (!errors.isTooLong("spec.config", configs, Limits.CONFIGURATIONS)) {
            for (int i = 0; i < configs.size(); i++) {
                ConfigValidation.check(configs.get(i), "spec.config[" + i + "]", errors);
            }
        }
        if (spec.hasNonNull("extendedResourceName")) {
            extendedResource(spec.path("extendedResourceName").asText(), errors);
        }
    }

    /** {@code ExtendedResourceName} of {@code k8s.io/apimachinery/pkg/api/validate}. */
    private static void extendedResource(String name, FieldErrors errors) {
        String path = "spec.extendedResourceName";
        if (!name.contains("/")) {
            errors.invalid(path, name, "a name must be a domain-prefixed path, such as 'example.com/my-prop'");
        } else if (name.contains("kubernetes.io/")) {
            errors.invalid(path, name, "must not have \"kubernetes.io/\" domain");
        }
        if (name.startsWith("requests.")) {
            errors.invalid(path, name, "must not have \"requests.\" prefix");
        }
        errors.invalid(path, name, NameFormat.labelKey("requests." + name));
    }
}
