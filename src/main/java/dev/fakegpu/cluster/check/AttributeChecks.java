package dev.fakegpu.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules about the attributes of a device that the API server does not have. */
final class AttributeChecks {

    private static final Set<String> CEL_KEYWORDS = Set.of("in", "true", "false", "null");
    private static final String STANDARD_DOMAIN = "resource.kubernetes.io/";

    /** The standard attributes of Kubernetes 1.37, and the form of their values. */
    private static final Map<String, Pattern> STANDARD = Map.of(
            "pcieRoot", Pattern.compile("strings? pci[0-9a-f]{4,8}:[0-9a-f]{2}"),
            "pciBusID", Pattern.compile("strings? [0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]"),
            "numaNode", Pattern.compile("ints? \\d{1,4}"));

    private static final Rule TWICE = Rule.warning(
            Scope.SLICE,
            "attribute-declared-twice",
            "A name without a domain is in the driver's domain, so CEL sees one attribute and takes either value; constraints, which name the"
                    + " domain, take the value of the name with the domain.",
            "Keep one of them, the one without the domain.",
            Sources.types("Device.attributes; k8s.io/dynamic-resource-allocation/cel"));
    private static final Rule KEYWORD = Rule.warning(
            Scope.SLICE,
            "attribute-name-is-cel-keyword",
            "CEL cannot select it with a dot: device.attributes[\"example.com\"].in does not compile.",
            "Rename it.",
            "CEL language definition: in, true, false and null are no selectors");
    private static final Rule CASE = Rule.warning(
            Scope.SLICE,
            "attribute-names-differ-in-case",
            "Who selects by one of them easily means the other one.",
            "Keep one spelling.",
            Sources.validation("validateCIdentifier, which distinguishes case"));
    private static final Rule STANDARD_VALUE = Rule.error(
            Scope.SLICE,
            "invalid-standard-attribute",
            "Constraints across drivers, such as one pcieRoot for a GPU and a NIC, never match such a value.",
            "Publish pcieRoot as pci0000:00, pciBusID as 0000:3b:00.0, and numaNode as an int.",
            "k8s.io/dynamic-resource-allocation/deviceattribute");
    private static final Rule STANDARD_UNKNOWN = Rule.warning(
            Scope.SLICE,
            "unknown-standard-attribute",
            "The domain belongs to Kubernetes, and no other driver publishes this attribute.",
            "Use your driver's domain, or correct the name: pcieRoot, pciBusID or numaNode.",
            "k8s.io/dynamic-resource-allocation/deviceattribute: StandardDeviceAttributePrefix");
    private static final Rule STANDARD_BARE = Rule.warning(
            Scope.SLICE,
            "standard-attribute-without-domain",
            "Without a domain it is an attribute of the driver, which constraints with other drivers' devices do not see.",
            "Publish it as resource.kubernetes.io/pcieRoot or resource.kubernetes.io/pciBusID.",
            "k8s.io/dynamic-resource-allocation/deviceattribute");

    static final List<Rule> RULES = List.of(TWICE, KEYWORD, CASE, STANDARD_VALUE, STANDARD_UNKNOWN, STANDARD_BARE);

    private final CheckedDevice device;
    private final JsonNode attributes;
    private final Violations findings;

    private AttributeChecks(CheckedDevice device, Violations findings) {
        this.device = device;
        this.attributes = device.json().path("attributes");
        this.findings = findings;
    }

    static void check(CheckedDevice device, Violations findings) {
        var checks = new AttributeChecks(device, findings);
        checks.names();
        checks.attributes.properties().forEach(entry -> checks.standard(entry.getKey(), entry.getValue()));
    }

    private void names() {
        var spellings = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        String own = device.slice().pool().driver() + "/";
        attributes.properties().forEach(entry -> {
            String name = entry.getKey();
            JsonNode twin = name.startsWith(own) ? attributes.path(name.substring(own.length())) : attributes.path("");
            if (!twin.isMissingNode() && !twin.equals(entry.getValue())) {
                findings.add(
                        TWICE,
                        at(name),
                        "is %s, but without the domain %s".formatted(shown(entry.getValue()), shown(twin)));
            }
            if (CEL_KEYWORDS.contains(name.substring(name.indexOf('/') + 1))) {
                findings.add(KEYWORD, at(name), "is a keyword of CEL");
            }
            Optional.ofNullable(spellings.put(name, name))
                    .ifPresent(other ->
                            findings.add(CASE, at(name), "differs from attribute " + other + " only in upper case"));
        });
    }

    /** Returns text such as {@code string "a100"}. */
    private static String shown(JsonNode attribute) {
        return attribute.properties().stream()
                .map(field -> field.getKey() + " " + field.getValue())
                .collect(Collectors.joining(", "));
    }

    private void standard(String name, JsonNode attribute) {
        if (name.startsWith(STANDARD_DOMAIN)) {
            String id = name.substring(STANDARD_DOMAIN.length());
            Pattern format = STANDARD.get(id);
            if (format == null) {
                findings.add(STANDARD_UNKNOWN, at(name), "is not a standard attribute of Kubernetes 1.37");
            } else {
                standardValue(name, attribute, format);
            }
        } else if ((name.equals("pcieRoot") || name.equals("pciBusID")) && !attributes.has(STANDARD_DOMAIN + name)) {
            findings.add(STANDARD_BARE, at(name), "has no domain, and there is no " + STANDARD_DOMAIN + name);
        }
    }

    private void standardValue(String name, JsonNode attribute, Pattern format) {
        attribute.properties().forEach(entry -> {
            Iterable<JsonNode> values = entry.getValue().isArray() ? entry.getValue() : List.of(entry.getValue());
            values.forEach(value -> {
                if (!format.matcher(entry.getKey() + " " + value.asText()).matches()) {
                    findings.add(
                            STANDARD_VALUE,
                            at(name),
                            "%s %s is not how %s is written"
                                    .formatted(entry.getKey(), Words.quoted(value.asText()), name));
                }
            });
        });
    }

    private Where at(String name) {
        return device.at("attributes[" + name + "]");
    }
}
