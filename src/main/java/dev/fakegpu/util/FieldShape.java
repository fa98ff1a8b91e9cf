package dev.fakegpu.util;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/** Describes what a field of a class contains, in terms of YAML. */
public final class FieldShape {

    private FieldShape() {}

    /** A description such as {@code a list}, or for an enum {@code one of NoSchedule, None}. */
    public static String of(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (isInteger(type)) {
            return "an integer";
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
            return "a number";
        }
        return type == String.class ? "a string" : "an object";
    }

    /** Whether the type has only integers. */
    public static boolean isInteger(Class<?> type) {
        return type == Integer.class || type == int.class || type == Long.class || type == long.class;
    }
}
