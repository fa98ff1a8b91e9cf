package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** ResourceSlices: {@code validateResourceSliceSpec} and the rules of {@code ResourceSliceSpec}, with all fields of Kubernetes 1.37. */
final class SliceValidation {

    private static final String ONE_SELECTION =
            "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
    private static final String NOT_DISABLED = "must be either unset or set to true";
    private static final List<String> OPERATIONS = List.of("*", "NodePrepareResources", "NodeUnprepareResources");
    private static final List<String> LISTS = List.of("ints", "bools", "strings", "versions");

    private final JsonNode spec;
    private final FieldErrors errors;

    private SliceValidation(JsonNode spec, FieldErrors errors) {
        this.spec = spec;
        this.errors = errors;
    }

    static void check(JsonNode spec, FieldErrors errors) {
        var validation = new SliceValidation(spec, errors);
        NameFormat.driver("spec.driver", spec.path("driver").asText(""), errors);
        validation.pool(spec.path("pool"));
        validation.nodes();
        boolean hasBoth = spec.hasNonNull("sharedCounters") && spec.hasNonNull("devices");
        if (hasBoth && errors.follows(VersionedRule.COUNTERS_APART_FROM_DEVICES)) {
            errors.invalid("spec", "", "only one of `sharedCounters` or `devices` is allowed");
        }
        validation.devices(spec.path("devices"));
        CounterValidation.sets(spec.path("sharedCounters"), "spec.sharedCounters", errors);
        CounterValidation.totals(spec, errors);
        if (spec.hasNonNull("partitionTypeAttribute")) {
            validation.partitionType(spec.path("partitionTypeAttribute").asText());
        }
        validation.skippedOperations(spec.path("skipNodeOperations"));
    }

    private void pool(JsonNode pool) {
        NameFormat.pool("spec.pool.name", pool.path("name").asText(""), errors);
        long count = pool.path("resourceSliceCount").asLong();
        if (count <= 0) {
            errors.invalid("spec.pool.resourceSliceCount", count, "must be greater than zero");
        }
        long generation = pool.path("generation").asLong();
        if (generation < 0) {
            errors.invalid("spec.pool.generation", generation, "must be greater than or equal to zero");
        }
    }

    private void nodes() {
        var set = new ArrayList<String>();
        NodeSelectionValidation.nodeName(
                spec, "spec", "must be either unset or set to a non-empty string", set, errors);
        NodeSelectionValidation.nodeSelector(spec, "spec", set, errors);
        JsonNode terms = spec.path("nodeSelector").path("nodeSelectorTerms");
        if (spec.hasNonNull("nodeSelector") && terms.size() != 1) {
            errors.invalid(
                    "spec.nodeSelector.nodeSelectorTerms",
                    NodeSelectionValidation.internal(terms),
                    "must have exactly one node selector term");
        }
        NodeSelectionValidation.flag("allNodes", spec, "spec", NOT_DISABLED, set, errors);
        NodeSelectionValidation.flag("perDeviceNodeSelection", spec, "spec", NOT_DISABLED, set, errors);
        NodeSelectionValidation.exactlyOne(
                "spec", set, ONE_SELECTION, ONE_SELECTION + ", but multiple fields are set", errors);
    }

    private void devices(JsonNode devices) {
        int maximum = needsSmallSlices(devices) ? Limits.DEVICES_WITH_ADVANCED_FEATURES : Limits.DEVICES;
        if (errors.isTooLong("spec.devices", devices, maximum)) {
            return;
        }
        boolean isPerDevice = spec.path("perDeviceNodeSelection").asBoolean();
        var names = new HashSet<String>();
        for (int i = 0; i < devices.size(); i++) {
            String path = "spec.devices[" + i + "]";
            DeviceValidation.check(devices.get(i), path, isPerDevice, errors);
            String name = devices.get(i).path("name").asText("");
            if (!names.add(name)) {
                boolean isAtItem = errors.follows(VersionedRule.DUPLICATES_AT_ITEMS);
                errors.duplicate(isAtItem ? path : path + ".name", TextNode.valueOf(name));
            }
        }
    }

    private boolean needsSmallSlices(JsonNode devices) {
        if (!errors.follows(VersionedRule.FEWER_DEVICES_WITH_TAINTS)) {
            return false;
        }
        for (JsonNode device : devices) {
            boolean hasList = device.path("attributes").properties().stream()
                    .anyMatch(entry -> LISTS.stream().anyMatch(entry.getValue()::hasNonNull));
            if (hasList
                    || !device.path("taints").isEmpty()
                    || !device.path("consumesCounters").isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** {@code validatePartitionTypeAttribute}; the format of the name is declared on the field. */
    private void partitionType(String name) {
        String path = "spec.partitionTypeAttribute";
        var ofName = errors.ofPart();
        NameFormat.attribute(path, name, ofName);
        errors.addAll(ofName);
        boolean isUsed = false;
        for (int i = 0; i < spec.path("devices").size(); i++) {
            JsonNode device = spec.path("devices").get(i);
            if (!device.path("consumesCounters").isEmpty()) {
                isUsed = true;
                if (ofName.all().isEmpty()) {
                    partitionType(name, device.path("attributes"), "spec.devices[" + i + "].attributes[" + name + "]");
                }
            }
        }
        if (!isUsed) {
            errors.invalid(path, name, "may only be set on a slice which declares devices that consume counters");
        }
    }

    private void partitionType(String name, JsonNode attributes, String path) {
        String own = spec.path("driver").asText() + "/";
        String bare = name.startsWith(own) ? name.substring(own.length()) : name;
        JsonNode attribute = attributes.has(name) ? attributes.path(name) : attributes.path(bare);
        if (attribute.isMissingNode()) {
            errors.required(
                    path,
                    "device consumes counters and `partitionTypeAttribute` names this attribute, so it must be set");
        } else if (!attribute.hasNonNull("string")) {
            errors.invalid(
                    path, attribute, "must be a string value because `partitionTypeAttribute` names this attribute");
        }
    }

    private void skippedOperations(JsonNode list) {
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            String operation = list.get(i).asText();
            String path = "spec.skipNodeOperations[" + i + "]";
            if (!OPERATIONS.contains(operation)) {
                errors.unsupported(path, operation, OPERATIONS);
            }
            if (!seen.add(operation)) {
                errors.duplicate(path, list.get(i));
            }
        }
        if (seen.contains("NodePrepareResources") && !seen.contains("NodeUnprepareResources") && !seen.contains("*")) {
            errors.invalid(
                    "spec.skipNodeOperations",
                    list,
                    "NodePrepareResources cannot be skipped unless NodeUnprepareResources is also skipped");
        }
    }
}
