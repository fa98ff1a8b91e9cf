package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Sets;
import dev.fakegpu.dra.field.JsonType;
import dev.fakegpu.dra.field.JsonValue;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.util.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** The rules about fields that {@code resource.k8s.io/v1} of Kubernetes 1.37 does not have. */
final class FieldChecks {

    static final Rule UNKNOWN = unknown(Scope.SLICE, "unknown-field", "ResourceSliceSpec, as of 1.37");
    private static final Rule UNKNOWN_OF_CLASS =
            unknown(Scope.CLASS, "unknown-class-field", "DeviceClassSpec, as of 1.37");

    static final List<Rule> RULES = List.of(UNKNOWN, UNKNOWN_OF_CLASS);

    /** Fields of KEP-5234, which the API does not have yet, by the type that has them; they are checked as mixins. */
    private static final Map<String, Set<String>> OF_MIXINS = Map.of(
            "ResourceSliceSpec", Set.of("mixins"),
            "Device", Set.of("includes"),
            "CounterSet", Set.of("includes"),
            "DeviceCounterConsumption", Set.of("includes"));

    /** The object types of a DeviceClass by name: their fields, each with the type of its objects; empty for other values. */
    private static final Map<String, Map<String, String>> OF_CLASSES = Map.of(
            "class", Map.of("selectors", "selector", "config", "configuration", "extendedResourceName", ""),
            "selector", Map.of("cel", "cel"),
            "cel", Map.of("expression", ""),
            "configuration", Map.of("opaque", "opaque"),
            "opaque", Map.of("driver", "", "parameters", ""));

    private static Rule unknown(Scope scope, String name, String types) {
        return Rule.warning(
                scope,
                name,
                "The API server drops a field that it does not know, or refuses the object with strict validation.",
                "Correct the spelling and indentation, or check against the version that has the field.",
                Sources.types(types));
    }

    private final Rule rule;
    private final Source source;
    private final Violations findings;

    private FieldChecks(Rule rule, Source source, Violations findings) {
        this.rule = rule;
        this.source = source;
        this.findings = findings;
    }

    static void check(CheckedSlice slice, Violations findings) {
        new FieldChecks(UNKNOWN, slice.source(), findings).object(SliceFields.SPEC, slice.spec(), "spec");
    }

    static void check(CheckedClass checked, Violations findings) {
        new FieldChecks(UNKNOWN_OF_CLASS, checked.source(), findings).object("class", checked.spec(), "spec");
    }

    private void object(JsonType<?> type, JsonNode json, String path) {
        Map<String, JsonValue<?>> fields = type.properties();
        Set<String> ofMixins = OF_MIXINS.getOrDefault(type.name(), Set.of());
        Set<String> known = Sets.union(fields.keySet(), ofMixins);
        json.properties().forEach(entry -> {
            String at = path + "." + entry.getKey();
            JsonValue<?> field = fields.get(entry.getKey());
            if (field != null) {
                field.content()
                        .filter(content -> !content.equals(SliceFields.NODE_SELECTOR))
                        .ifPresent(content -> each(
                                field.isMap(), entry.getValue(), at, (value, where) -> object(content, value, where)));
            } else if (!ofMixins.contains(entry.getKey())) {
                unknown(entry.getKey(), at, known);
            }
        });
    }

    private void object(String kind, JsonNode json, String path) {
        Map<String, String> fields = OF_CLASSES.getOrDefault(kind, Map.of());
        if (fields.isEmpty()) {
            return;
        }
        json.properties().forEach(entry -> {
            String content = fields.get(entry.getKey());
            String at = path + "." + entry.getKey();
            if (content == null) {
                unknown(entry.getKey(), at, fields.keySet());
            } else {
                each(false, entry.getValue(), at, (value, where) -> object(content, value, where));
            }
        });
    }

    private void unknown(String name, String path, Set<String> known) {
        findings.add(
                rule,
                source.at(path),
                "is not a field" + Suggestion.hint(name, known) + "; there are: "
                        + String.join(", ", known.stream().sorted().toList()));
    }

    private static void each(boolean isMap, JsonNode value, String path, BiConsumer<JsonNode, String> check) {
        if (isMap) {
            value.properties().forEach(entry -> check.accept(entry.getValue(), path + "[" + entry.getKey() + "]"));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check.accept(value.get(i), path + "[" + i + "]");
            }
        } else {
            check.accept(value, path);
        }
    }
}
