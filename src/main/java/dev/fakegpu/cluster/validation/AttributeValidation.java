package dev.fakegpu.cluster.validation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.hardware.inventory.field.Syntax;
import java.util.List;
import java.util.stream.Collectors;

/** The attributes of a device: {@code validateDeviceAttribute}. */
final class AttributeValidation {

    private static final List<String> LISTS = List.of("ints", "bools", "strings", "versions");
    private static final List<String> VALUES =
            List.of("int", "bool", "string", "version", "ints", "bools", "strings", "versions");
    private static final String ONE_OF =
            VALUES.stream().map(field -> "`" + field + "`").collect(Collectors.joining(", "));

    private static final String ONE_VALUE = "exactly one value must be specified";

    private final FieldErrors errors;

    private AttributeValidation(FieldErrors errors) {
        this.errors = errors;
    }

    /** @param path the path of the device */
    static void check(JsonNode device, String path, FieldErrors errors) {
        JsonNode attributes = device.path("attributes");
        int all = attributes.size() + device.path("capacity").size();
        if (all > Limits.ATTRIBUTES_AND_CAPACITIES) {
            errors.invalid(
                    path,
                    all,
                    "the total number of attributes and capacities must not exceed "
                            + Limits.ATTRIBUTES_AND_CAPACITIES);
        }
        int values = attributes.properties().stream()
                .mapToInt(entry -> values(entry.getValue()))
                .sum();
        if (values > Limits.ATTRIBUTE_VALUES) {
            errors.invalid(
                    path, values, "the total number of attribute values must not exceed " + Limits.ATTRIBUTE_VALUES);
        }
        var validation = new AttributeValidation(errors);
        attributes.properties().forEach(entry -> {
            String key = entry.getKey();
            NameFormat.qualified(errors.pathOfKey(path + ".attributes", key), key, errors);
            validation.attribute(entry.getValue(), path + ".attributes[" + entry.getKey() + "]");
        });
    }

    /** {@code numEntriesDeviceAttribute}. */
    private static int values(JsonNode attribute) {
        int inLists =
                LISTS.stream().mapToInt(list -> attribute.path(list).size()).sum();
        return inLists == 0 ? 1 : inLists;
    }

    private void attribute(JsonNode attribute, String path) {
        for (String list : LISTS) {
            if (attribute.path(list).isArray() && attribute.path(list).isEmpty()) {
                errors.invalid(path + "." + list, attribute.path(list), "must not be empty if specified");
            }
        }
        List<String> set =
                VALUES.stream().filter(field -> isSet(attribute.path(field))).toList();
        if (set.isEmpty()) {
            noValue(path);
        } else if (set.size() > 1) {
            errors.invalid(path, "{" + String.join(", ", set) + "}", "must specify exactly one of: " + ONE_OF);
        }
        text(attribute.path("string"), path + ".string");
        version(attribute.path("version"), path + ".version");
        for (int i = 0; i < attribute.path("strings").size(); i++) {
            text(attribute.path("strings").get(i), path + ".strings[" + i + "]");
        }
        for (int i = 0; i < attribute.path("versions").size(); i++) {
            version(attribute.path("versions").get(i), path + ".versions[" + i + "]");
        }
    }

    private void noValue(String path) {
        if (errors.follows(VersionedRule.DECLARED_RULES)) {
            errors.invalid(path, "", "must specify one of: " + ONE_OF);
        } else if (errors.follows(VersionedRule.NO_VALUE_IS_INVALID)) {
            errors.invalid(path, "", ONE_VALUE);
        } else {
            errors.required(path, ONE_VALUE);
        }
    }

    private boolean isSet(JsonNode value) {
        boolean countsIfEmpty = !errors.follows(VersionedRule.DECLARED_RULES);
        return value.isArray() ? countsIfEmpty || !value.isEmpty() : !value.isMissingNode() && !value.isNull();
    }

    private void text(JsonNode value, String path) {
        if (value.asText("").getBytes(UTF_8).length > Limits.ATTRIBUTE_VALUE_BYTES) {
            errors.tooLong(path, Limits.ATTRIBUTE_VALUE_BYTES);
        }
    }

    private void version(JsonNode value, String path) {
        if (!value.isTextual()) {
            return;
        }
        if (!Syntax.SEMANTIC_VERSION.hasFormat(value.asText())) {
            errors.invalid(path, value, "must be a string compatible with semver.org spec 2.0.0");
        }
        text(value, path);
    }
}
