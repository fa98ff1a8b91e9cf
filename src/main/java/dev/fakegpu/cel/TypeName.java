package dev.fakegpu.cel;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type as a value: what {@code type(x)} answers and what {@code int} stands for outside of a call. */
record TypeName(String name) {

    static TypeName of(Object value) {
        return new TypeName(nameOf(value));
    }

    private static String nameOf(Object value) {
        if (value instanceof FunctionLibrary.Typed typed) {
            return typed.typeName();
        }
        if (value instanceof List<?>) {
            return "list";
        }
        if (value instanceof Map<?, ?>) {
            return "map";
        }
        if (value instanceof Optional<?>) {
            return "optional_type";
        }
        return scalarName(value);
    }

    private static String scalarName(Object value) {
        if (value instanceof Long) {
            return "int";
        }
        if (value instanceof String) {
            return "string";
        }
        if (value instanceof Boolean) {
            return "bool";
        }
        if (value instanceof Double) {
            return "double";
        }
        if (value instanceof UnsignedLong) {
            return "uint";
        }
        return otherName(value);
    }

    private static String otherName(Object value) {
        if (value instanceof CelByteString) {
            return "bytes";
        }
        if (value instanceof NullValue) {
            return "null_type";
        }
        if (value instanceof Duration) {
            return "google.protobuf.Duration";
        }
        if (value instanceof Instant) {
            return "google.protobuf.Timestamp";
        }
        if (value instanceof Quantity) {
            return QuantityLibrary.TYPE.name();
        }
        return value instanceof DeviceVariable ? DeviceVariable.TYPE.name() : "type";
    }

    @Override
    public String toString() {
        return name;
    }
}
