package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules about the nodes that can access devices. */
final class NodeChecks {

    private static final String REFUSED = "The API server refuses the slice.";
    private static final String PER_DEVICE = "perDeviceNodeSelection";
    private static final List<String> FIELDS = List.of("nodeName", "nodeSelector", "allNodes");

    private static final Rule NONE = Rule.error(
            Scope.SLICE,
            "no-node-selection",
            "The API server refuses the slice; no node could use its devices.",
            "Set nodeName for devices of a node, and nodeSelector or allNodes for devices that several nodes reach.",
            Sources.validation("validateResourceSliceSpec"));
    private static final Rule SEVERAL = Rule.error(
            Scope.SLICE,
            "several-node-selections",
            REFUSED,
            "Keep exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection.",
            Sources.validation("validateResourceSliceSpec"));
    private static final Rule DISABLED = Rule.error(
            Scope.SLICE,
            "disabled-node-selection",
            "The API server refuses false and empty names in place of an absent field.",
            "Remove the field.",
            Sources.validation("validateResourceSliceSpec, validateDevice"));
    private static final Rule TERMS = Rule.error(
            Scope.SLICE,
            "node-selector-terms",
            "The API server refuses the slice, since selectors of several slices are merged into one.",
            "Use exactly one term in nodeSelectorTerms.",
            Sources.validation("validateResourceSliceSpec"));
    private static final Rule SELECTOR = Rule.error(
            Scope.SLICE,
            "invalid-node-selector",
            "The API server refuses the slice; kube-scheduler would give up on every pod with claims.",
            "Correct the requirement: a valid label key, an operator, and the values that it takes.",
            "pkg/apis/core/validation: ValidateNodeSelector; component-helpers/scheduling/corev1/nodeaffinity");
    private static final Rule NODE_NAME = Rule.error(
            Scope.SLICE,
            "invalid-node-name",
            REFUSED,
            "Write the name of the Node object.",
            Sources.validation("validateNodeName"));
    private static final Rule DEVICE = Rule.error(
            Scope.SLICE,
            "device-node-selection",
            REFUSED,
            "With perDeviceNodeSelection set exactly one of nodeName, nodeSelector and allNodes on each device, otherwise none.",
            Sources.validation("validateDevice"));

    static final List<Rule> RULES = List.of(NONE, SEVERAL, DISABLED, TERMS, SELECTOR, NODE_NAME, DEVICE);

    private NodeChecks() {}

    static void check(CheckedSlice slice, Violations findings) {
        var set = new ArrayList<>(set(slice.spec()));
        if (slice.slice().selectsNodesPerDevice()) {
            set.add(PER_DEVICE);
        }
        if (set.size() > 1) {
            findings.add(SEVERAL, slice.at("spec"), "has " + String.join(" and ", set));
        }
        List<String> disabled = disabled(slice.spec());
        disabled.forEach(field -> findings.add(DISABLED, slice.at("spec." + field), "is set to nothing"));
        if (set.isEmpty() && disabled.isEmpty()) {
            findings.add(NONE, slice.at("spec"), "has none of nodeName, nodeSelector, allNodes and " + PER_DEVICE);
        }
        selector(slice.spec(), slice.slice().nodes()).ifPresent(problem -> {
            boolean terms = problem.startsWith("has");
            findings.add(terms ? TERMS : SELECTOR, slice.at("spec.nodeSelector"), problem);
        });
        nodeName(slice.spec()).ifPresent(problem -> findings.add(NODE_NAME, slice.at("spec.nodeName"), problem));
        slice.devices().forEach(device -> check(device, findings));
    }

    private static void check(CheckedDevice device, Violations findings) {
        List<String> set = set(device.json());
        List<String> disabled = disabled(device.json());
        if (!device.slice().slice().selectsNodesPerDevice()) {
            if (!set.isEmpty() || !disabled.isEmpty()) {
                findings.add(DEVICE, device.at(""), "has a node selection, but the slice has no " + PER_DEVICE);
            }
            return;
        }
        disabled.forEach(field -> findings.add(DISABLED, device.at(field), "is set to nothing"));
        if (set.size() != 1 && disabled.isEmpty()) {
            findings.add(
                    DEVICE,
                    device.at(""),
                    set.isEmpty()
                            ? "has no node selection, but the slice has " + PER_DEVICE
                            : "has " + String.join(" and ", set));
        }
        NodeSelection nodes = device.device().nodes();
        if (nodes instanceof NodeSelection.Matching matching) {
            matching.selector()
                    .problem()
                    .ifPresent(problem -> findings.add(SELECTOR, device.at("nodeSelector"), problem));
        }
        nodeName(device.json()).ifPresent(problem -> findings.add(NODE_NAME, device.at("nodeName"), problem));
    }

    /** The fields that select nodes. */
    private static List<String> set(JsonNode json) {
        return FIELDS.stream().filter(field -> selects(json.path(field))).toList();
    }

    private static boolean selects(JsonNode value) {
        return value.isObject()
                || value.asBoolean(false)
                || (value.isTextual() && !value.asText().isEmpty());
    }

    private static List<String> disabled(JsonNode json) {
        return List.of("nodeName", "allNodes", PER_DEVICE).stream()
                .filter(json::hasNonNull)
                .filter(field -> !selects(json.path(field)))
                .toList();
    }

    private static Optional<String> selector(JsonNode spec, NodeSelection nodes) {
        JsonNode selector = spec.path("nodeSelector");
        int terms = selector.path("nodeSelectorTerms").size();
        if (selector.isObject() && terms != 1) {
            return Optional.of("has " + terms + " terms");
        }
        return nodes instanceof NodeSelection.Matching matching
                ? matching.selector().problem()
                : Optional.empty();
    }

    private static Optional<String> nodeName(JsonNode json) {
        String name = json.path("nodeName").asText();
        return name.isEmpty() || Syntax.NODE_NAME.matches(name)
                ? Optional.empty()
                : Optional.of(Words.quoted(name) + " is not " + Syntax.NODE_NAME.description());
    }
}
