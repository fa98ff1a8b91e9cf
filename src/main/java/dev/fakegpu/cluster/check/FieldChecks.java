package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.util.Suggestion;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The rules about fields that {@code resource.k8s.io/v1} of Kubernetes 1.37 does not have. */
final class FieldChecks {

    private static final Rule UNKNOWN = unknown(Scope.SLICE, "unknown-field", "ResourceSliceSpec, as of 1.37");
    private static final Rule UNKNOWN_OF_CLASS =
            unknown(Scope.CLASS, "unknown-class-field", "DeviceClassSpec, as of 1.37");

    static final List<Rule> RULES = List.of(UNKNOWN, UNKNOWN_OF_CLASS);

    /** Accepts whatever it contains. */
    private static final Map<String, String> ANYTHING = Map.of("*", "");

    /**
     * Objects by name: their fields, each with the name of the object that it contains, or that its elements are, or that its map's values
     * are after {@code *}; empty for values.
     */
    private static final Map<String, Map<String, String>> OBJECTS = Map.ofEntries(
            Map.entry(
                    "spec",
                    Map.ofEntries(
                            Map.entry("driver", ""),
                            Map.entry("pool", "pool"),
                            Map.entry("nodeName", ""),
                            Map.entry("nodeSelector", "any"),
                            Map.entry("allNodes", ""),
                            Map.entry("perDeviceNodeSelection", ""),
                            Map.entry("devices", "device"),
                            Map.entry("sharedCounters", "counterSet"),
                            Map.entry("skipNodeOperations", ""),
                            Map.entry("partitionTypeAttribute", ""),
                            Map.entry("mixins", "any"))),
            Map.entry("pool", fields("name", "generation", "resourceSliceCount")),
            Map.entry(
                    "device",
                    Map.ofEntries(
                            Map.entry("name", ""),
                            Map.entry("attributes", "*attribute"),
                            Map.entry("capacity", "*capacity"),
                            Map.entry("consumesCounters", "consumption"),
                            Map.entry("taints", "taint"),
                            Map.entry("allowMultipleAllocations", ""),
                            Map.entry("nodeName", ""),
                            Map.entry("nodeSelector", "any"),
                            Map.entry("allNodes", ""),
                            Map.entry("bindsToNode", ""),
                            Map.entry("bindingConditions", ""),
                            Map.entry("bindingFailureConditions", ""),
                            Map.entry("nodeAllocatableResources", "any"),
                            Map.entry("includes", ""))),
            Map.entry("attribute", fields("string", "int", "bool", "version", "strings", "ints", "bools", "versions")),
            Map.entry("capacity", Map.of("value", "", "requestPolicy", "policy")),
            Map.entry("policy", Map.of("default", "", "validValues", "", "validRange", "range")),
            Map.entry("range", fields("min", "max", "step")),
            Map.entry("counterSet", Map.of("name", "", "counters", "*counter", "includes", "")),
            Map.entry(
                    "consumption",
                    Map.of("counterSet", "", "counters", "*counter", "compatibilityGroups", "", "includes", "")),
            Map.entry("counter", fields("value")),
            Map.entry("taint", fields("key", "value", "effect", "timeAdded")),
            Map.entry("class", Map.of("selectors", "selector", "config", "configuration", "extendedResourceName", "")),
            Map.entry("selector", Map.of("cel", "cel")),
            Map.entry("cel", fields("expression")),
            Map.entry("configuration", Map.of("opaque", "opaque")),
            Map.entry("opaque", Map.of("driver", "", "parameters", "any")),
            Map.entry("any", ANYTHING));

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
        new FieldChecks(UNKNOWN, slice.source(), findings).object("spec", slice.spec(), "spec");
    }

    static void check(CheckedClass checked, Violations findings) {
        new FieldChecks(UNKNOWN_OF_CLASS, checked.source(), findings).object("class", checked.spec(), "spec");
    }

    private static Map<String, String> fields(String... names) {
        return List.of(names).stream().collect(Collectors.toMap(name -> name, name -> ""));
    }

    private void object(String kind, JsonNode json, String path) {
        Map<String, String> fields = OBJECTS.getOrDefault(kind, ANYTHING);
        if (fields.equals(ANYTHING)) {
            return;
        }
        json.properties().forEach(entry -> {
            String content = fields.get(entry.getKey());
            String at = path + "." + entry.getKey();
            if (content == null) {
                findings.add(
                        rule,
                        source.at(at),
                        "is no field" + Suggestion.hint(entry.getKey(), fields.keySet()) + "; there are: "
                                + String.join(
                                        ", ", fields.keySet().stream().sorted().toList()));
            } else {
                field(content, entry.getValue(), at);
            }
        });
    }

    private void field(String content, JsonNode value, String path) {
        if (content.startsWith("*")) {
            value.properties()
                    .forEach(
                            entry -> object(content.substring(1), entry.getValue(), path + "[" + entry.getKey() + "]"));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                object(content, value.get(i), path + "[" + i + "]");
            }
        } else {
            object(content, value, path);
        }
    }
}
