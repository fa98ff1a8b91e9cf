package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** The nodes that can access a slice or device, and {@code ValidateNodeSelector} of {@code pkg/apis/core/validation}. */
final class NodeSelectionValidation {

    private static final Set<String> COMPARISONS = Set.of("Gt", "Lt");

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private NodeSelectionValidation() {}

    /** @param set the path is added to this list if the field is set */
    static void nodeName(JsonNode json, String path, String ifEmpty, List<String> set, FieldErrors errors) {
        if (!json.hasNonNull("nodeName")) {
            return;
        }
        String name = json.path("nodeName").asText();
        if (name.isEmpty()) {
            errors.invalid(path + ".nodeName", "", ifEmpty);
        } else {
            set.add("`nodeName`");
            errors.invalid(path + ".nodeName", name, NameFormat.subdomain(name));
        }
    }

    static void nodeSelector(JsonNode json, String path, List<String> set, FieldErrors errors) {
        if (json.hasNonNull("nodeSelector")) {
            set.add("`nodeSelector`");
            selector(json.path("nodeSelector"), path + ".nodeSelector", errors);
        }
    }

    static void flag(String field, JsonNode json, String path, String ifFalse, List<String> set, FieldErrors errors) {
        if (json.path(field).asBoolean()) {
            set.add("`" + field + "`");
        } else if (json.hasNonNull(field)) {
            errors.invalid(path + "." + field, json.path(field), ifFalse);
        }
    }

    static void exactlyOne(String path, List<String> set, String ifNone, String ifSeveral, FieldErrors errors) {
        if (set.isEmpty()) {
            errors.required(path, ifNone);
        } else if (set.size() > 1) {
            errors.invalid(path, "{" + String.join(", ", set) + "}", ifSeveral);
        }
    }

    static void selector(JsonNode selector, String path, FieldErrors errors) {
        JsonNode terms = selector.path("nodeSelectorTerms");
        if (terms.isEmpty()) {
            errors.required(path + ".nodeSelectorTerms", "must have at least one node selector term");
        }
        for (int i = 0; i < terms.size(); i++) {
            term(terms.get(i), path + ".nodeSelectorTerms[" + i + "]", errors);
        }
    }

    /** {@code ValidateNodeSelectorTerm}. */
    static void term(JsonNode term, String path, FieldErrors errors) {
        JsonNode expressions = term.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            requirement(expressions.get(i), path + ".matchExpressions[" + i + "]", errors);
        }
        JsonNode fields = term.path("matchFields");
        for (int i = 0; i < fields.size(); i++) {
            field(fields.get(i), path + ".matchFields[" + i + "]", errors);
        }
    }

    /** {@code ValidateNodeSelectorRequirement}: that of a label, or a numeric comparison. */
    private static void requirement(JsonNode requirement, String path, FieldErrors errors) {
        if (!COMPARISONS.contains(requirement.path("operator").asText(""))) {
            LabelSelectorValidation.requirement(requirement, path, errors);
            return;
        }
        if (requirement.path("values").size() != 1) {
            errors.required(path + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'");
        }
        LabelSelectorValidation.keyAndValues(requirement, path, errors);
    }

    /** {@code ValidateNodeFieldSelectorRequirement}. */
    private static void field(JsonNode requirement, String path, FieldErrors errors) {
        String operator = requirement.path("operator").asText("");
        JsonNode values = requirement.path("values");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            errors.invalid(path + ".operator", operator, "not a valid selector operator");
        } else if (values.size() != 1) {
            errors.required(
                    path + ".values",
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = requirement.path("key").asText("");
        if (!key.equals("metadata.name")) {
            errors.invalid(path + ".key", key, "not a valid field selector key");
            return;
        }
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i).asText();
            errors.invalid(path + ".values[" + i + "]", value, NameFormat.subdomain(value));
        }
    }

    /** Uses the field names of the internal version, which the API server shows. */
    static JsonNode internal(JsonNode terms) {
        ArrayNode shown = JSON.arrayNode();
        for (JsonNode term : terms) {
            ObjectNode internal = shown.addObject();
            internal.set("MatchExpressions", requirements(term.path("matchExpressions")));
            internal.set("MatchFields", requirements(term.path("matchFields")));
        }
        return shown;
    }

    private static JsonNode requirements(JsonNode list) {
        if (list.isMissingNode()) {
            return NullNode.getInstance();
        }
        ArrayNode shown = JSON.arrayNode();
        for (JsonNode requirement : list) {
            ObjectNode internal = shown.addObject();
            internal.put("Key", requirement.path("key").asText(""));
            internal.put("Operator", requirement.path("operator").asText(""));
            JsonNode values = requirement.path("values");
            internal.set("Values", values.isMissingNode() ? NullNode.getInstance() : values);
        }
        return shown;
    }
}
