package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.Limits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The devices of a claim or template: {@code validateDeviceClaim} of {@code pkg/apis/resource/validation}. */
final class DeviceClaimValidation {

    private static final List<String> MODES = List.of("All", "ExactCount");
    private static final String NO_REQUEST =
            "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

    private final FieldErrors errors;
    private final Map<String, Set<String>> requests = new HashMap<>();

    private final DerivedAttributeValidation derived;

    private DeviceClaimValidation(JsonNode constraints, FieldErrors errors) {
        this.errors = errors;
        derived = new DerivedAttributeValidation(constraints, errors);
    }

    /** @param path the path of the devices */
    static void check(JsonNode devices, String path, FieldErrors errors) {
        var validation = new DeviceClaimValidation(devices.path("constraints"), errors);
        for (JsonNode request : devices.path("requests")) {
            var alternatives = new HashSet<String>();
            request.path("firstAvailable")
                    .forEach(alternative ->
                            alternatives.add(alternative.path("name").asText()));
            validation.requests.put(request.path("name").asText(), alternatives);
        }
        validation.requests(devices.path("requests"), path + ".requests");
        validation.constraints(devices.path("constraints"), path + ".constraints");
        validation.configs(devices.path("config"), path + ".config");
    }

    private void requests(JsonNode list, String path) {
        if (errors.isTooLong(path, list, Limits.REQUESTS)) {
            return;
        }
        unique(list, "name", path);
        for (int i = 0; i < list.size(); i++) {
            request(list.get(i), path + "[" + i + "]");
        }
    }

    private void request(JsonNode request, String path) {
        label(request.path("name"), path + ".name");
        boolean isExact = request.hasNonNull("exactly");
        boolean hasAlternatives = !request.path("firstAvailable").isEmpty();
        if (isExact && hasAlternatives) {
            errors.invalid(
                    path,
                    NullNode.getInstance(),
                    "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set");
        } else if (!isExact && !hasAlternatives) {
            errors.required(path, "exactly one of `exactly` or `firstAvailable` is required");
        }
        boolean isAmbiguous = isExact && hasAlternatives && errors.follows(VersionedRule.ONE_KIND_OF_REQUEST);
        if (isExact && !isAmbiguous) {
            devices(
                    request.path("exactly"),
                    path + ".exactly",
                    request.path("name").asText());
        }
        if (hasAlternatives && !isAmbiguous) {
            alternatives(
                    request.path("firstAvailable"),
                    path + ".firstAvailable",
                    request.path("name").asText());
        }
    }

    private void alternatives(JsonNode list, String path, String request) {
        if (errors.isTooLong(path, list, Limits.ALTERNATIVES)) {
            return;
        }
        unique(list, "name", path);
        for (int i = 0; i < list.size(); i++) {
            JsonNode name = list.get(i).path("name");
            label(name, path + "[" + i + "].name");
            devices(list.get(i), path + "[" + i + "]", request + "/" + name.asText());
        }
    }

    /**
     * The fields that an exact request and an alternative have in common.
     *
     * @param name that of the request, and of the alternative
     */
    private void devices(JsonNode request, String path, String name) {
        String deviceClass = request.path("deviceClassName").asText();
        if (deviceClass.isEmpty()) {
            errors.required(path + ".deviceClassName", "");
        } else {
            errors.invalid(path + ".deviceClassName", deviceClass, NameFormat.subdomain(deviceClass));
        }
        SelectorValidation.check(request.path("selectors"), path + ".selectors", errors);
        derived.check(request.path("derivedAttributes"), path + ".derivedAttributes", name);
        mode(request, path);
        JsonNode tolerations = request.path("tolerations");
        for (int i = 0; i < tolerations.size(); i++) {
            TaintValidation.toleration(tolerations.get(i), path + ".tolerations[" + i + "]", errors);
        }
    }

    /** The API server reports a count of 0 as a missing one. */
    private void mode(JsonNode request, String path) {
        String given = request.path("allocationMode").asText("");
        String mode = given.isEmpty() || request.path("allocationMode").isNull() ? "ExactCount" : given;
        JsonNode count = request.path("count");
        if (!MODES.contains(mode)) {
            errors.unsupported(path + ".allocationMode", mode, MODES);
        } else if (mode.equals("All") && count.asLong() != 0) {
            errors.invalid(path + ".count", count, "must not be specified when allocationMode is 'All'");
        } else if (count.asLong() < 0) {
            errors.invalid(path + ".count", count, "must be greater than zero");
        }
    }

    private void constraints(JsonNode list, String path) {
        if (errors.isTooLong(path, list, Limits.CONSTRAINTS)) {
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            JsonNode constraint = list.get(i);
            String at = path + "[" + i + "]";
            references(constraint.path("requests"), at + ".requests");
            boolean isMatch = constraint.hasNonNull("matchAttribute");
            boolean isDistinct = constraint.hasNonNull("distinctAttribute");
            if (!isMatch && !isDistinct && !errors.follows(VersionedRule.TWO_KINDS_OF_CONSTRAINT)) {
                errors.required(at + ".matchAttribute", "");
            } else if (!isMatch && !isDistinct) {
                errors.required(
                        at,
                        "exactly one of \"matchAttribute\" or \"distinctAttribute\" is required, but multiple fields are set");
            }
            for (String field : List.of("matchAttribute", "distinctAttribute")) {
                if (constraint.hasNonNull(field)) {
                    NameFormat.attribute(
                            at + "." + field, constraint.path(field).asText(), errors);
                }
            }
        }
    }

    private void configs(JsonNode list, String path) {
        if (errors.isTooLong(path, list, Limits.CONFIGURATIONS)) {
            return;
        }
        for (int i = 0; i < list.size(); i++) {
            references(list.get(i).path("requests"), path + "[" + i + "].requests");
            ConfigValidation.check(list.get(i), path + "[" + i + "]", errors);
        }
    }

    /** The names of requests, and of requests with one of their alternatives. */
    private void references(JsonNode list, String path) {
        if (errors.isTooLong(path, list, Limits.REQUESTS)) {
            return;
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            String name = list.get(i).asText();
            String at = path + "[" + i + "]";
            reference(name, at);
            if (!seen.add(name)) {
                errors.duplicate(at, TextNode.valueOf(name));
            }
        }
    }

    private void reference(String name, String path) {
        String[] parts = name.split("/", -1);
        if (parts.length > 2) {
            errors.invalid(path, name, NO_REQUEST);
            return;
        }
        for (String part : parts) {
            errors.invalid(path, part, NameFormat.label(part));
        }
        Set<String> alternatives = requests.get(parts[0]);
        if (alternatives == null || parts.length == 2 && !alternatives.contains(parts[1])) {
            errors.invalid(path, name, NO_REQUEST);
        }
    }

    private void unique(JsonNode list, String key, String path) {
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            if (!seen.add(list.get(i).path(key).asText())) {
                errors.duplicateItem(path + "[" + i + "]", key, list.get(i));
            }
        }
    }

    private void label(JsonNode value, String path) {
        errors.invalid(path, value.asText(), NameFormat.label(value.asText()));
    }
}
