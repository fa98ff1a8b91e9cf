package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;

/** What {@code resizePolicy} of containers may say: {@code validateResizePolicy}, and what {@code validateInitContainers} adds. */
final class ResizePolicyValidation {

    private static final List<String> RESOURCES = List.of("cpu", "memory");
    private static final List<String> POLICIES = List.of("NotRequired", "RestartContainer");

    private ResizePolicyValidation() {}

    /**
     * Checks a list of containers.
     *
     * @param spec of the pod, with the list in a field
     * @param path of the spec
     */
    static void check(JsonNode spec, String field, String path, FieldErrors errors) {
        boolean isNever = spec.path("restartPolicy").asText().equals("Never");
        for (int i = 0; i < spec.path(field).size(); i++) {
            JsonNode container = spec.path(field).get(i);
            String at = path + "." + field + "[" + i + "].resizePolicy";
            check(container.path("resizePolicy"), isNever, at, errors);
            if (errors.follows(VersionedRule.RESIZE_OF_INIT_CONTAINERS)
                    && field.equals("initContainers")
                    && !container.path("restartPolicy").asText().equals("Always")) {
                ofInitContainer(container.path("resizePolicy"), at, errors);
            }
        }
    }

    private static void check(JsonNode list, boolean isNever, String path, FieldErrors errors) {
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode resource = list.get(i).path("resourceName");
            String policy = list.get(i).path("restartPolicy").asText();
            if (!seen.add(resource.asText())) {
                errors.duplicate(path + "[" + i + "]", resource);
            }
            oneOf(resource.asText(), RESOURCES, path, errors);
            oneOf(policy, POLICIES, path, errors);
            if (isNever && !policy.equals("NotRequired")) {
                errors.invalid(path, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
            }
        }
    }

    private static void oneOf(String value, List<String> supported, String path, FieldErrors errors) {
        if (value.isEmpty()) {
            errors.required(path, "");
        } else if (!supported.contains(value)) {
            errors.unsupported(path, value, supported);
        }
    }

    private static void ofInitContainer(JsonNode list, String path, FieldErrors errors) {
        for (int i = 0; i < list.size(); i++) {
            String policy = list.get(i).path("restartPolicy").asText();
            if (policy.equals("RestartContainer")) {
                errors.invalid(
                        path + "[" + i + "].restartPolicy",
                        policy,
                        "must not be set to 'RestartContainer' for non-sidecar initContainers");
            }
        }
    }
}
