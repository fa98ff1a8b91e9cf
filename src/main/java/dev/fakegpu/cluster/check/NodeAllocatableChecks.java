package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Quantity;
import java.util.List;

/** Rules about the cpu and memory of nodes that devices account for (KEP-5517). */
final class NodeAllocatableChecks {

    private static final String REFUSED = "The API server refuses the slice.";

    private static final Rule RESOURCE = Rule.error(
            Scope.SLICE,
            "node-allocatable-resource",
            REFUSED,
            "Use cpu, memory or hugepages-<size>; extended resources are none of the node's.",
            Sources.validation("validateNodeAllocatableResources (IsNodeAllocatableResourceName)") + "; KEP-5517");
    private static final Rule EMPTY = Rule.error(
            Scope.SLICE,
            "node-allocatable-without-amount",
            REFUSED,
            "Set mapping or overhead, and in overhead perPod or perContainer.",
            Sources.validation("validateNodeAllocatableResources, validateNodeAllocatableOverheadMapping"));
    private static final Rule CAPACITY = Rule.error(
            Scope.SLICE,
            "node-allocatable-unknown-capacity",
            REFUSED,
            "Name a capacity of the same device in capacityKey, spelled as there, and set capacityMultiplier with it.",
            Sources.validation("validateNodeAllocatableMapping"));
    private static final Rule AMOUNT = Rule.error(
            Scope.SLICE,
            "node-allocatable-amount",
            REFUSED,
            "Use multipliers above 0 and an overhead of at least 0.",
            Sources.validation("validateNodeAllocatableMapping, validateNodeAllocatableOverheadMapping"));

    static final List<Rule> RULES = List.of(RESOURCE, EMPTY, CAPACITY, AMOUNT);

    private final CheckedDevice device;
    private final Violations findings;

    private NodeAllocatableChecks(CheckedDevice device, Violations findings) {
        this.device = device;
        this.findings = findings;
    }

    static void check(CheckedDevice device, Violations findings) {
        var checks = new NodeAllocatableChecks(device, findings);
        device.json()
                .path("nodeAllocatableResources")
                .properties()
                .forEach(entry -> checks.check(entry.getKey(), entry.getValue()));
    }

    private void check(String resource, JsonNode entry) {
        Where where = device.at("nodeAllocatableResources[" + resource + "]");
        if (!resource.equals("cpu") && !resource.equals("memory") && !resource.startsWith("hugepages-")) {
            findings.add(RESOURCE, where, Words.quoted(resource) + " is not a resource of nodes");
        }
        JsonNode overhead = entry.path("overhead");
        boolean emptyOverhead =
                overhead.isObject() && !overhead.hasNonNull("perPod") && !overhead.hasNonNull("perContainer");
        if ((!entry.hasNonNull("mapping") && !overhead.isObject()) || emptyOverhead) {
            findings.add(EMPTY, where, emptyOverhead ? "has an overhead of nothing" : "has no mapping and no overhead");
        }
        mapping(entry.path("mapping"), where);
        amount(overhead.path("perPod"), "perPod", 0, where);
        amount(overhead.path("perContainer"), "perContainer", 0, where);
    }

    private void mapping(JsonNode mapping, Where where) {
        boolean hasKey = mapping.hasNonNull("capacityKey");
        String key = mapping.path("capacityKey").asText();
        if (hasKey && !device.device().capacity().containsKey(key)) {
            findings.add(CAPACITY, where, "the device has no capacity " + Words.quoted(key));
        }
        if (hasKey != mapping.hasNonNull("capacityMultiplier")) {
            findings.add(CAPACITY, where, hasKey ? "has no capacityMultiplier" : "has no capacityKey");
        }
        amount(mapping.path("capacityMultiplier"), "capacityMultiplier", 1, where);
        amount(mapping.path("deviceMultiplier"), "deviceMultiplier", 1, where);
    }

    /** @param minimum 1 for amounts above 0 */
    private void amount(JsonNode value, String field, int minimum, Where where) {
        if (value.isValueNode() && !value.isNull()) {
            try {
                if (Quantity.parse(value.asText()).signum() < minimum) {
                    findings.add(AMOUNT, where, field + " is " + value.asText());
                }
            } catch (IllegalArgumentException e) {
                findings.add(AMOUNT, where, field + " is not a quantity: " + Words.quoted(value.asText()));
            }
        }
    }
}
