package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.AttributeValue;
import java.util.Set;

/** How constraints compare attribute values. */
enum AttributeComparison {
    /** Compares single values; a list equals no other value. */
    VALUES {
        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return isSingle(value) ? Set.of(value) : Set.of(device);
        }
    },
    /** Compares values as sets; a single value is a set with one element ({@link Feature#LIST_TYPE_ATTRIBUTES}). */
    SETS {
        @Override
        Set<?> comparable(AttributeValue value, int device) {
            return elements(value);
        }
    };

    static AttributeComparison of(AllocatorOptions options) {
        return options.has(Feature.LIST_TYPE_ATTRIBUTES) ? SETS : VALUES;
    }

    /**
     * The parts of a device's value that are compared with those of other devices.
     *
     * @param device represents a value that equals no other value
     */
    abstract Set<?> comparable(AttributeValue value, int device);

    static boolean isSingle(AttributeValue value) {
        return !(value instanceof AttributeValue.ListValue) && !(value instanceof AttributeValue.Unknown);
    }

    /** The elements of a list, or the value itself; empty for an unknown type. */
    static Set<AttributeValue> elements(AttributeValue value) {
        if (value instanceof AttributeValue.ListValue list) {
            return Set.copyOf(list.values());
        }
        return value instanceof AttributeValue.Unknown ? Set.of() : Set.of(value);
    }
}
