package dev.fakegpu.engine.cel.value;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.fakegpu.dra.Quantity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A type as a value: the result of {@code type(x)}, and the value of a name such as {@code int} that is not called. */
public record TypeName(String name) {

    private static final TypeName TYPE = new TypeName("type");

    private record Implementation(Class<?> type, TypeName name) {
        Implementation(Class<?> type, String name) {
            this(type, new TypeName(name));
        }
    }

    private static final List<Implementation> IMPLEMENTATIONS = List.of(
            new Implementation(List.class, "list"),
            new Implementation(Map.class, "map"),
            new Implementation(Optional.class, "optional_type"),
            new Implementation(Long.class, "int"),
            new Implementation(String.class, "string"),
            new Implementation(Boolean.class, "bool"),
            new Implementation(Double.class, "double"),
            new Implementation(UnsignedLong.class, "uint"),
            new Implementation(CelByteString.class, "bytes"),
            new Implementation(NullValue.class, "null_type"),
            new Implementation(Duration.class, "google.protobuf.Duration"),
            new Implementation(Instant.class, "google.protobuf.Timestamp"),
            new Implementation(Quantity.class, QuantityType.TYPE.name()));

    public static TypeName of(Object value) {
        if (value instanceof OpaqueValue opaque) {
            return new TypeName(opaque.type().name());
        }
        return IMPLEMENTATIONS.stream()
                .filter(implementation -> implementation.type().isInstance(value))
                .map(Implementation::name)
                .findFirst()
                .orElse(TYPE);
    }

    @Override
    public String toString() {
        return name;
    }
}
