package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.engine.cel.value.Failure;
import dev.fakegpu.engine.cel.value.SemanticVersion;
import dev.fakegpu.engine.cel.value.TypeName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Converts device attributes to values of expressions, and results of expressions to attributes. Each version is parsed only once. */
final class AttributeValues {

    /** The maximum number of cached versions. Drivers and firmware have few; the limit keeps a hostile publisher from filling the heap. */
    private static final int MAX_VERSIONS = 4_096;

    private static final Map<String, Object> VERSIONS = new ConcurrentHashMap<>();

    private AttributeValues() {}

    /**
     * Why no expression can be evaluated for a device, or null. It may have a value of an unknown kind or a version that cannot be parsed.
     * Upstream converts all attributes before it evaluates an expression.
     */
    static @Nullable Failure problemOf(Device device) {
        // This runs for every evaluation, so the name is looked up only after a problem was found.
        for (AttributeValue value : device.attributes().values()) {
            Failure problem = problemOf(value);
            if (problem != null) {
                return new Failure("attribute " + nameOf(value, device) + ": " + problem.getMessage());
            }
        }
        return null;
    }

    private static String nameOf(AttributeValue value, Device device) {
        return device.attributes().entrySet().stream()
                .filter(attribute -> attribute.getValue() == value)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable Failure problemOf(AttributeValue value) {
        if (value instanceof AttributeValue.StringValue || value instanceof AttributeValue.IntValue) {
            return null;
        }
        if (value instanceof AttributeValue.Unknown) {
            return new Failure("unsupported attribute value");
        }
        if (value instanceof AttributeValue.VersionValue version) {
            return version(version.value()) instanceof Failure problem ? problem : null;
        }
        if (value instanceof AttributeValue.ListValue list && list.kind() == AttributeValue.Kind.VERSION) {
            for (AttributeValue element : list.values()) {
                Failure problem = problemOf(element);
                if (problem != null) {
                    return problem;
                }
            }
        }
        return null;
    }

    /** The {@link SemanticVersion}, or the {@link Failure} from parsing it. */
    private static Object version(String text) {
        Object known = VERSIONS.get(text);
        if (known != null) {
            return known;
        }
        Object parsed = parseVersion(text);
        if (VERSIONS.size() < MAX_VERSIONS) {
            VERSIONS.put(text, parsed);
        }
        return parsed;
    }

    private static Object parseVersion(String text) {
        try {
            return SemanticVersion.parse(text);
        } catch (IllegalArgumentException e) {
            return new Failure("parse semantic version: " + e.getMessage());
        }
    }

    /** The value that expressions see for a {@linkplain #problemOf valid} attribute. */
    static Object inExpressions(AttributeValue value) {
        if (value instanceof AttributeValue.StringValue text) {
            return text.value();
        }
        if (value instanceof AttributeValue.IntValue number) {
            return number.value();
        }
        if (value instanceof AttributeValue.BoolValue bool) {
            return bool.value();
        }
        if (value instanceof AttributeValue.VersionValue version) {
            return version(version.value());
        }
        if (value instanceof AttributeValue.ListValue list) {
            return list.values().stream().map(AttributeValues::inExpressions).toList();
        }
        throw new IllegalArgumentException("unsupported attribute value");
    }

    /**
     * Converts a result to an attribute.
     *
     * @throws Failure if no attribute can have that value
     */
    static AttributeValue ofResult(Object result) {
        AttributeValue scalar = scalar(result);
        if (scalar != null) {
            return scalar;
        }
        if (result instanceof List<?> list) {
            return ofList(list);
        }
        throw new Failure("unsupported CEL return type: " + TypeName.of(result));
    }

    private static @Nullable AttributeValue scalar(Object value) {
        if (value instanceof String text) {
            return AttributeValue.of(text);
        }
        if (value instanceof Long number) {
            return AttributeValue.of(number);
        }
        if (value instanceof Boolean bool) {
            return AttributeValue.of(bool);
        }
        if (value instanceof SemanticVersion version) {
            return AttributeValue.version(version.toString());
        }
        // Upstream unwraps optionals here, except those that contain a list.
        return value instanceof Optional<?> optional && optional.isPresent() ? scalar(optional.get()) : null;
    }

    /** Converts a list. Its first element determines the kind; an empty list is a list of strings. */
    private static AttributeValue ofList(List<?> list) {
        var values = list.stream().map(AttributeValues::element).toList();
        for (int i = 1; i < list.size(); i++) {
            if (values.get(i).getClass() != values.get(0).getClass()) {
                throw new Failure("expected list element at index " + i + " to be " + TypeName.of(list.get(0))
                        + ", got " + TypeName.of(list.get(i)));
            }
        }
        return new AttributeValue.ListValue(
                values.isEmpty() ? AttributeValue.Kind.STRING : kind(values.get(0)), values);
    }

    private static AttributeValue element(Object value) {
        AttributeValue scalar = scalar(value);
        if (scalar == null) {
            throw new Failure("unsupported list element type: " + TypeName.of(value));
        }
        return scalar;
    }

    private static AttributeValue.Kind kind(AttributeValue value) {
        if (value instanceof AttributeValue.StringValue) {
            return AttributeValue.Kind.STRING;
        }
        if (value instanceof AttributeValue.IntValue) {
            return AttributeValue.Kind.INT;
        }
        return value instanceof AttributeValue.BoolValue ? AttributeValue.Kind.BOOL : AttributeValue.Kind.VERSION;
    }
}
