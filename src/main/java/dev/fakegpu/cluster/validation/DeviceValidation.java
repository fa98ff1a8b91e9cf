package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A device of a slice: {@code validateDevice}. */
final class DeviceValidation {

    private static final String ONE_SELECTION =
            "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set"
                    + " to true in the ResourceSlice spec";
    private static final int FEW_TAINTS = 4;
    private static final String CONDITIONS = "bindingConditions";
    private static final String FAILURES = "bindingFailureConditions";

    private final JsonNode device;
    private final String path;
    private final FieldErrors errors;

    private DeviceValidation(JsonNode device, String path, FieldErrors errors) {
        this.device = device;
        this.path = path;
        this.errors = errors;
    }

    /** @param isPerDevice whether devices of the slice select nodes */
    static void check(JsonNode device, String path, boolean isPerDevice, FieldErrors errors) {
        var validation = new DeviceValidation(device, path, errors);
        String name = device.path("name").asText("");
        errors.invalid(path + ".name", name, NameFormat.label(name));
        AttributeValidation.check(device, path, errors);
        boolean isShared = device.path("allowMultipleAllocations").asBoolean();
        CapacityValidation.check(device.path("capacity"), path + ".capacity", isShared, errors);
        validation.taints(device.path("taints"));
        CounterValidation.consumption(device.path("consumesCounters"), path + ".consumesCounters", errors);
        validation.nodes(isPerDevice);
        validation.binding();
        NodeAllocatableValidation.check(device, path + ".nodeAllocatableResources", errors);
    }

    private void taints(JsonNode taints) {
        boolean mayBeMany = errors.follows(VersionedRule.MORE_TAINTS);
        if (errors.isTooLong(path + ".taints", taints, mayBeMany ? Limits.TAINTS : FEW_TAINTS)) {
            return;
        }
        for (int i = 0; i < taints.size(); i++) {
            TaintValidation.taint(taints.get(i), path + ".taints[" + i + "]", errors);
        }
    }

    private void nodes(boolean isPerDevice) {
        if (isPerDevice) {
            var set = new ArrayList<String>();
            NodeSelectionValidation.nodeName(device, path, "must not be empty", set, errors);
            NodeSelectionValidation.nodeSelector(device, path, set, errors);
            NodeSelectionValidation.flag("allNodes", device, path, "must be either unset or set to true", set, errors);
            NodeSelectionValidation.exactlyOne(path, set, ONE_SELECTION, ONE_SELECTION, errors);
        } else if (List.of("nodeName", "nodeSelector", "allNodes").stream().anyMatch(device::hasNonNull)) {
            errors.invalid(
                    path,
                    NullNode.getInstance(),
                    "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to"
                            + " true in the ResourceSlice spec");
        }
    }

    /** {@code validateDeviceBindingParameters}. */
    private void binding() {
        JsonNode conditions = device.path(CONDITIONS);
        JsonNode failures = device.path(FAILURES);
        Set<JsonNode> known = conditions(CONDITIONS, conditions);
        conditions(FAILURES, failures);
        for (int i = 0; i < failures.size(); i++) {
            if (known.contains(failures.get(i))) {
                errors.invalid(
                        path + "." + FAILURES + "[" + i + "]",
                        failures.get(i),
                        "bindingFailureConditions must not overlap with bindingConditions");
            }
        }
        if (conditions.isEmpty() && !failures.isEmpty()) {
            errors.invalid(
                    path + "." + CONDITIONS,
                    orNull(conditions),
                    "bindingConditions are required to use bindingFailureConditions");
        }
        if (failures.isEmpty() && !conditions.isEmpty()) {
            errors.invalid(
                    path + "." + FAILURES,
                    orNull(failures),
                    "bindingFailureConditions are required to use bindingConditions");
        }
    }

    private Set<JsonNode> conditions(String field, JsonNode list) {
        boolean isTooLong = errors.isTooLong(path + "." + field, list, Limits.BINDING_CONDITIONS);
        var seen = new HashSet<JsonNode>();
        for (int i = 0; i < list.size(); i++) {
            String at = path + "." + field + "[" + i + "]";
            String condition = list.get(i).asText();
            if (!isTooLong) {
                errors.invalid(at, condition, NameFormat.labelKey(condition));
            }
            if (!seen.add(list.get(i))) {
                errors.duplicate(at, list.get(i));
            }
        }
        return seen;
    }

    private static JsonNode orNull(JsonNode list) {
        return list.isMissingNode() ? NullNode.getInstance() : list;
    }
}
