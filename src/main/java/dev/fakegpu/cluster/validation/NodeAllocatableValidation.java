package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;

/** The node resources that a device takes: {@code validateNodeAllocatableResources}. */
final class NodeAllocatableValidation {

    private static final String ONE_OF = "`capacityKey`, `deviceMultiplier`";

    private NodeAllocatableValidation() {}

    static void check(JsonNode device, String path, FieldErrors errors) {
        device.path("nodeAllocatableResources").properties().forEach(entry -> {
            String resource = entry.getKey();
            String at = path + "[" + resource + "]";
            if (!resource.equals("cpu") && !resource.equals("memory") && !resource.startsWith("hugepages-")) {
                errors.invalid(at, resource, "must be a node allocatable resource name");
            }
            JsonNode mapping = entry.getValue().path("mapping");
            JsonNode overhead = entry.getValue().path("overhead");
            if (!mapping.isObject() && !overhead.isObject()) {
                errors.required(at, "at least one of mapping or overhead must be set");
            }
            if (mapping.isObject()) {
                mapping(mapping, device.path("capacity"), at + ".mapping", errors);
            }
            if (overhead.isObject()) {
                overhead(overhead, at + ".overhead", errors);
            }
        });
    }

    private static void mapping(JsonNode mapping, JsonNode capacity, String path, FieldErrors errors) {
        boolean hasKey = mapping.hasNonNull("capacityKey");
        boolean hasMultiplier = mapping.hasNonNull("capacityMultiplier");
        boolean isForDevice = mapping.hasNonNull("deviceMultiplier");
        String key = mapping.path("capacityKey").asText();
        if (hasKey && key.isEmpty()) {
            errors.invalid(path + ".capacityKey", "", "capacityKey must not be an empty string");
        } else if (hasKey && !capacity.has(key)) {
            errors.notFound(path + ".capacityKey", key, "");
        }
        if (hasKey && !hasMultiplier) {
            errors.required(path + ".capacityMultiplier", "capacityMultiplier is required when capacityKey is set");
        } else if (hasKey) {
            positive(mapping.path("capacityMultiplier"), path + ".capacityMultiplier", errors);
        } else if (hasMultiplier) {
            errors.required(path + ".capacityKey", "capacityKey is required when capacityMultiplier is set");
        }
        positive(mapping.path("deviceMultiplier"), path + ".deviceMultiplier", errors);
        if (hasKey && isForDevice) {
            errors.invalid(path, "{capacityKey, deviceMultiplier}", "must specify exactly one of: " + ONE_OF);
        } else if (!hasKey && !isForDevice) {
            errors.invalid(path, "", "must specify one of: " + ONE_OF);
        }
    }

    private static void overhead(JsonNode overhead, String path, FieldErrors errors) {
        if (!overhead.hasNonNull("perPod") && !overhead.hasNonNull("perContainer")) {
            errors.invalid(path, "", "at least one of perPod or perContainer must be set");
            return;
        }
        notNegative(overhead.path("perPod"), path + ".perPod", errors);
        notNegative(overhead.path("perContainer"), path + ".perContainer", errors);
    }

    private static void positive(JsonNode value, String path, FieldErrors errors) {
        Quantities.of(value)
                .filter(quantity -> quantity.signum() <= 0)
                .ifPresent(quantity -> errors.invalid(path, quantity.toString(), "must be positive"));
    }

    private static void notNegative(JsonNode value, String path, FieldErrors errors) {
        Quantities.of(value)
                .filter(quantity -> quantity.signum() < 0)
                .ifPresent(quantity -> errors.invalid(path, quantity.toString(), "must be non-negative"));
    }
}
