package dev.fakegpu.cluster.check;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.Syntax;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules about the names and attributes of a device. */
final class AttributeChecks {

    private static final String REFUSED = "The API server refuses the slice.";
    private static final List<String> SCALARS = List.of("string", "int", "bool", "version");
    private static final List<String> LISTS = List.of("strings", "ints", "bools", "versions");
    private static final Set<String> CEL_KEYWORDS = Set.of("in", "true", "false", "null");
    private static final String STANDARD_DOMAIN = "resource.kubernetes.io/";

    /** The standard attributes of Kubernetes 1.37, and what their values look like. */
    private static final Map<String, Pattern> STANDARD = Map.of(
            "pcieRoot", Pattern.compile("strings? pci[0-9a-f]{4,8}:[0-9a-f]{2}"),
            "pciBusID", Pattern.compile("strings? [0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]"),
            "numaNode", Pattern.compile("ints? \\d{1,4}"));

    private static final Rule DEVICE_NAME = Rule.error(
            Scope.SLICE,
            "invalid-device-name",
            REFUSED,
            "Use lower case letters, digits and -, at most " + Limits.LABEL + " characters, such as gpu-0.",
            Sources.validation("validateDeviceName (DNS label)"));
    private static final Rule TOO_MANY = Rule.error(
            Scope.SLICE,
            "too-many-attributes",
            REFUSED,
            "Leave out attributes that nobody selects by.",
            Sources.types("ResourceSliceMaxAttributesAndCapacitiesPerDevice = " + Limits.ATTRIBUTES_AND_CAPACITIES));
    private static final Rule TOO_MANY_VALUES = Rule.error(
            Scope.SLICE,
            "too-many-attribute-values",
            REFUSED,
            "Shorten the lists.",
            Sources.types("ResourceSliceMaxAttributeValuesPerDevice = " + Limits.ATTRIBUTE_VALUES));
    private static final Rule NAME = Rule.error(
            Scope.SLICE,
            "invalid-attribute-name",
            "The API server refuses the slice. CEL could not select the name with a dot either.",
            "Use a C identifier of at most " + Limits.IDENTIFIER
                    + " characters, without - and ., optionally after a domain and /.",
            Sources.validation("validateQualifiedName") + "; DeviceMaxIDLength, DeviceMaxDomainLength");
    private static final Rule ONE_VALUE = Rule.error(
            Scope.SLICE,
            "attribute-without-one-value",
            "The API server refuses the slice.",
            "Set exactly one of string, int, bool, version, strings, ints, bools and versions.",
            Sources.validation("validateDeviceAttribute"));
    private static final Rule EMPTY_LIST = Rule.error(
            Scope.SLICE,
            "empty-attribute-list",
            "The API server refuses the slice.",
            "Leave out the attribute if it has no value.",
            Sources.validation("validateDeviceAttribute"));
    private static final Rule TOO_LONG = Rule.error(
            Scope.SLICE,
            "attribute-too-long",
            REFUSED,
            "Shorten the value to " + Limits.ATTRIBUTE_VALUE_BYTES + " bytes.",
            Sources.types("DeviceAttributeMaxValueLength = " + Limits.ATTRIBUTE_VALUE_BYTES));
    private static final Rule VERSION = Rule.error(
            Scope.SLICE,
            "invalid-version",
            REFUSED,
            "Write three numbers without leading zeros, such as 12.4.0, or use a string.",
            Sources.validation("validateDeviceAttributeVersionValue (semver 2.0.0)"));
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

    static final List<Rule> RULES = List.of(
            DEVICE_NAME,
            TOO_MANY,
            TOO_MANY_VALUES,
            NAME,
            ONE_VALUE,
            EMPTY_LIST,
            TOO_LONG,
            VERSION,
            TWICE,
            KEYWORD,
            CASE,
            STANDARD_VALUE,
            STANDARD_UNKNOWN,
            STANDARD_BARE);

    private final CheckedDevice device;
    private final JsonNode attributes;
    private final Violations findings;

    private AttributeChecks(CheckedDevice device, Violations findings) {
        this.device = device;
        this.attributes = device.json().path("attributes");
        this.findings = findings;
    }

    static void check(CheckedDevice device, Violations findings) {
        if (!Syntax.DNS_LABEL.matches(device.name())) {
            findings.add(
                    DEVICE_NAME,
                    device.at("name"),
                    Words.quoted(device.name()) + " is not " + Syntax.DNS_LABEL.description());
        }
        var checks = new AttributeChecks(device, findings);
        checks.counts();
        checks.names();
        checks.attributes.properties().forEach(entry -> {
            checks.values(entry.getKey(), entry.getValue());
            checks.standard(entry.getKey(), entry.getValue());
        });
    }

    /** Whether an attribute of the device is a list. */
    static boolean hasLists(JsonNode deviceJson) {
        return deviceJson.path("attributes").properties().stream()
                .anyMatch(entry -> LISTS.stream().anyMatch(entry.getValue()::hasNonNull));
    }

    private void counts() {
        int all =
                device.device().attributes().size() + device.device().capacity().size();
        if (all > Limits.ATTRIBUTES_AND_CAPACITIES) {
            findings.add(
                    TOO_MANY,
                    device.at(""),
                    "has %s attributes and capacities, at most %s are allowed"
                            .formatted(all, Limits.ATTRIBUTES_AND_CAPACITIES));
        }
        int values = attributes.properties().stream()
                .mapToInt(entry -> entries(entry.getValue()))
                .sum();
        if (values > Limits.ATTRIBUTE_VALUES) {
            findings.add(
                    TOO_MANY_VALUES,
                    device.at("attributes"),
                    "has %s values, at most %s are allowed".formatted(values, Limits.ATTRIBUTE_VALUES));
        }
    }

    private static int entries(JsonNode attribute) {
        int inLists =
                LISTS.stream().mapToInt(list -> attribute.path(list).size()).sum();
        return inLists == 0 ? 1 : inLists;
    }

    private void names() {
        var spellings = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        String own = device.slice().pool().driver() + "/";
        attributes.properties().forEach(entry -> {
            String name = entry.getKey();
            if (!Syntax.QUALIFIED_NAME.matches(name.toLowerCase(Locale.ROOT))) {
                findings.add(NAME, at(name), Words.quoted(name) + " is not " + Syntax.QUALIFIED_NAME.description());
            }
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

    /** Such as {@code string "a100"}. */
    private static String shown(JsonNode attribute) {
        return attribute.properties().stream()
                .map(field -> field.getKey() + " " + field.getValue())
                .collect(Collectors.joining(", "));
    }

    private void values(String name, JsonNode attribute) {
        var set = new ArrayList<String>();
        SCALARS.stream().filter(attribute::hasNonNull).forEach(set::add);
        LISTS.stream().filter(attribute::hasNonNull).forEach(set::add);
        if (set.size() != 1) {
            findings.add(
                    ONE_VALUE, at(name), set.isEmpty() ? "has no value" : "has values as " + String.join(" and ", set));
        }
        LISTS.stream()
                .filter(list ->
                        attribute.path(list).isArray() && attribute.path(list).isEmpty())
                .forEach(list -> findings.add(EMPTY_LIST, at(name), list + " is empty"));
        text(name, attribute.path("string"), attribute.path("version"));
        attribute.path("strings").forEach(text -> tooLong(name, text));
        attribute.path("versions").forEach(version -> version(name, version));
    }

    private void text(String name, JsonNode text, JsonNode version) {
        if (text.isTextual()) {
            tooLong(name, text);
        }
        if (version.isTextual()) {
            version(name, version);
        }
    }

    private void tooLong(String name, JsonNode value) {
        int length = value.asText().getBytes(UTF_8).length;
        if (length > Limits.ATTRIBUTE_VALUE_BYTES) {
            findings.add(
                    TOO_LONG,
                    at(name),
                    "is %s bytes long, at most %s are allowed".formatted(length, Limits.ATTRIBUTE_VALUE_BYTES));
        }
    }

    private void version(String name, JsonNode version) {
        if (!Syntax.SEMANTIC_VERSION.matches(version.asText())) {
            findings.add(
                    VERSION,
                    at(name),
                    Words.quoted(version.asText()) + " is not " + Syntax.SEMANTIC_VERSION.description());
        }
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
