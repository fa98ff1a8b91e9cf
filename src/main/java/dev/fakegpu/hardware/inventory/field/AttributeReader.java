package dev.fakegpu.hardware.inventory.field;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.api.AttributeSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates the attributes of a FakeGpu and converts them to {@link AttributeValue}s. */
public final class AttributeReader {

    private static final String KINDS =
            "exactly one of string, int, bool, version, strings, ints, bools, versions and index";

    private AttributeReader() {}

    public static void check(String field, Map<String, AttributeSpec> attributes, Problems problems) {
        attributes.forEach((name, value) -> {
            String at = field + "[" + name + "]";
            problems.unlessMatches(Syntax.QUALIFIED_NAME, at, name);
            check(at, value, problems);
        });
    }

    private static void check(String field, @Nullable AttributeSpec attribute, Problems problems) {
        if (attribute == null) {
            problems.add(field, 0, "is the number of values", KINDS);
            return;
        }
        if (!hasOneValue(field, attribute, problems)) {
            return;
        }
        if (attribute.index() != null) { // expanding a repeated device replaces its indexes
            problems.add(
                    field + ".index",
                    attribute.index(),
                    "goes with repeated devices only",
                    "int, or a device with repeat");
        }
        checkString(field + ".string", attribute.stringValue(), problems);
        if (attribute.versionValue() != null) {
            problems.unlessMatches(Syntax.SEMANTIC_VERSION, field + ".version", attribute.versionValue());
        }
        checkLists(field, attribute, problems);
    }

    /** Whether the attribute has exactly one value. Reports a problem if not. */
    public static boolean hasOneValue(String field, AttributeSpec attribute, Problems problems) {
        long values = Stream.of(
                        attribute.stringValue(),
                        attribute.intValue(),
                        attribute.boolValue(),
                        attribute.versionValue(),
                        attribute.strings(),
                        attribute.ints(),
                        attribute.bools(),
                        attribute.versions(),
                        attribute.index())
                .filter(Objects::nonNull)
                .count();
        if (values != 1) {
            problems.add(field, values, "is the number of values", KINDS);
        }
        return values == 1;
    }

    private static void checkLists(String field, AttributeSpec attribute, Problems problems) {
        checkSize(field + ".strings", attribute.strings(), problems);
        checkSize(field + ".ints", attribute.ints(), problems);
        checkSize(field + ".bools", attribute.bools(), problems);
        checkSize(field + ".versions", attribute.versions(), problems);
        List<String> strings = orEmpty(attribute.strings());
        for (int i = 0; i < strings.size(); i++) {
            checkString(field + ".strings[" + i + "]", strings.get(i), problems);
        }
        List<String> versions = orEmpty(attribute.versions());
        for (int i = 0; i < versions.size(); i++) {
            problems.unlessMatches(Syntax.SEMANTIC_VERSION, field + ".versions[" + i + "]", versions.get(i));
        }
    }

    private static void checkSize(String field, @Nullable List<?> list, Problems problems) {
        if (list != null && (list.isEmpty() || list.size() > Limits.ATTRIBUTE_VALUES)) {
            problems.add(field, list.size(), "is the number of elements", "1 to " + Limits.ATTRIBUTE_VALUES);
        } else if (list != null && list.contains(null)) {
            problems.add(field, "null", "is not a value", "values of one kind");
        }
    }

    private static void checkString(String field, @Nullable String text, Problems problems) {
        if (text != null && text.getBytes(UTF_8).length > Limits.ATTRIBUTE_VALUE_BYTES) {
            problems.add(field, text, "is too long", "at most " + Limits.ATTRIBUTE_VALUE_BYTES + " bytes");
        }
    }

    public static Map<String, AttributeValue> read(Map<String, AttributeSpec> attributes) {
        var values = new LinkedHashMap<String, AttributeValue>();
        attributes.forEach((name, attribute) -> values.put(name, read(attribute)));
        return values;
    }

    private static AttributeValue read(AttributeSpec attribute) {
        if (attribute.stringValue() != null) {
            return AttributeValue.of(attribute.stringValue());
        }
        if (attribute.intValue() != null) {
            return AttributeValue.of(attribute.intValue());
        }
        if (attribute.boolValue() != null) {
            return AttributeValue.of(attribute.boolValue());
        }
        return attribute.versionValue() == null
                ? readList(attribute)
                : AttributeValue.version(attribute.versionValue());
    }

    private static AttributeValue readList(AttributeSpec attribute) {
        if (attribute.strings() != null) {
            return AttributeValue.strings(attribute.strings());
        }
        if (attribute.ints() != null) {
            return AttributeValue.ints(attribute.ints());
        }
        return attribute.bools() == null
                ? AttributeValue.versions(orEmpty(attribute.versions()))
                : AttributeValue.bools(attribute.bools());
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
