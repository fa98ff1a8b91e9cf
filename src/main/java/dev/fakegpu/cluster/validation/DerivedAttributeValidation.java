package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.fakegpu.dra.Limits;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The derived attributes of a request: {@code validateDeviceDerivedAttributes}, and the rules that are declared on the type (KEP-6080). */
final class DerivedAttributeValidation {

    private static final String EVERY_REQUEST = "";

    private final FieldErrors errors;

    /** The attributes that constraints compare, by the requests that they name. */
    private final Map<String, Set<String>> compared = new HashMap<>();

    DerivedAttributeValidation(JsonNode constraints, FieldErrors errors) {
        this.errors = errors;
        for (JsonNode constraint : constraints) {
            String field = constraint.hasNonNull("matchAttribute") ? "matchAttribute" : "distinctAttribute";
            if (constraint.hasNonNull(field)) {
                String attribute = constraint.path(field).asText();
                constraint.path("requests").forEach(request -> compares(request.asText(), attribute));
                if (constraint.path("requests").isEmpty()) {
                    compares(EVERY_REQUEST, attribute);
                }
            }
        }
    }

    private void compares(String request, String attribute) {
        compared.computeIfAbsent(request, ignored -> new HashSet<>()).add(attribute);
    }

    /** @param request the name of the request, or of a request and one of its alternatives */
    void check(JsonNode list, String path, String request) {
        if (list.size() > Limits.DERIVED_ATTRIBUTES) {
            errors.tooMany(path, list.size(), Limits.DERIVED_ATTRIBUTES);
        }
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode attribute = list.get(i);
            String at = path + "[" + i + "]";
            String name = attribute.path("name").asText("");
            if (!seen.add(name)) {
                errors.duplicate(at, TextNode.valueOf(name));
            }
            name(name, at + ".name", request, list.size() <= Limits.DERIVED_ATTRIBUTES);
            String expression = attribute.path("expression").asText("");
            if (expression.isEmpty()) {
                errors.required(at + ".expression", "");
            } else {
                SelectorValidation.derivedAttribute(expression, at + ".expression", errors);
            }
        }
    }

    /** @param isParsed if there are too many, the API server does not look at the parts of their names */
    private void name(String name, String path, String request, boolean isParsed) {
        if (name.isEmpty()) {
            errors.required(path, "");
            return;
        }
        if (!isCompared(name, request)) {
            errors.invalid(
                    path,
                    name,
                    "must be referenced by at least one matchAttribute or distinctAttribute constraint targeting this request");
        }
        if (isParsed) {
            NameFormat.attribute(path, name, errors);
        }
    }

    private boolean isCompared(String attribute, String request) {
        return Stream.of(EVERY_REQUEST, request, request.split("/", 2)[0])
                .anyMatch(each -> compared.getOrDefault(each, Set.of()).contains(attribute));
    }
}
