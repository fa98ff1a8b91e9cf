package dev.fakegpu.dra.field;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of a type of {@code resource.k8s.io}.
 *
 * @param <T> the Java type that has the field
 * @param <V> the type of the field's value
 */
public final class JsonField<T, V> {

    /** Gets the value of the field; null if it is missing. */
    @FunctionalInterface
    interface Getter<T, V> {
        @Nullable V of(T object);
    }

    /** Reads and writes the value of a field in the JSON object that contains it. */
    private interface Place<V> {
        Map<String, JsonValue<?>> properties();

        @Nullable V read(JsonNode owner);

        void write(V value, JsonGenerator json) throws IOException;
    }

    private final String name;
    private final Getter<T, V> of;
    private final Place<V> place;
    private final @Nullable V absent;
    private final boolean isRequired;

    private JsonField(String name, Getter<T, V> of, Place<V> place, @Nullable V absent, boolean isRequired) {
        this.name = name;
        this.of = of;
        this.place = place;
        this.absent = absent;
        this.isRequired = isRequired;
    }

    /** A field that is always written. If it is missing, it has Go's zero value: zero or an empty string. */
    static <T, V> JsonField<T, V> required(String property, JsonValue<V> value, V zero, Getter<T, V> of) {
        return new JsonField<>(property, of, property(property, value), zero, true);
    }

    /** A field that may be missing. */
    static <T, V> JsonField<T, V> optional(String property, JsonValue<V> value, @Nullable V absent, Getter<T, V> of) {
        return new JsonField<>(property, of, property(property, value), absent, false);
    }

    static <T, V> JsonField<T, List<V>> list(String property, JsonValue<V> element, Getter<T, List<V>> of) {
        return optional(property, JsonValue.list(element), List.of(), of);
    }

    static <T, V> JsonField<T, Map<String, V>> map(String property, JsonValue<V> value, Getter<T, Map<String, V>> of) {
        return optional(property, JsonValue.map(value), Map.of(), of);
    }

    /** A value that consists of several properties of the object itself. */
    static <T, V> JsonField<T, V> inline(String name, JsonType<V> type, @Nullable V absent, Getter<T, V> of) {
        var place = new Place<V>() {
            @Override
            public Map<String, JsonValue<?>> properties() {
                return type.properties();
            }

            @Override
            public V read(JsonNode owner) {
                return type.readFields(owner);
            }

            @Override
            public void write(V value, JsonGenerator json) throws IOException {
                type.writeFields(value, json);
            }
        };
        return new JsonField<>(name, of, place, absent, false);
    }

    private static <V> Place<V> property(String property, JsonValue<V> value) {
        return new Place<>() {
            @Override
            public Map<String, JsonValue<?>> properties() {
                return Map.of(property, value);
            }

            @Override
            public @Nullable V read(JsonNode owner) {
                JsonNode json = owner.get(property);
                return json == null || json.isNull() ? null : value.read(json);
            }

            @Override
            public void write(V written, JsonGenerator json) throws IOException {
                json.writeFieldName(property);
                value.write(written, json);
            }
        };
    }

    /** The name of the field in Java. It is also the name in JSON, if the field is a single property there. */
    public String name() {
        return name;
    }

    /** The properties in JSON by name, each with its type. */
    public Map<String, JsonValue<?>> properties() {
        return place.properties();
    }

    public @Nullable V of(T object) {
        return of.of(object);
    }

    /** The value of the field if it is missing; null means no value. */
    @Nullable V absent() {
        return absent;
    }

    /** Whether the object has a value for the field. */
    public boolean isIn(T object) {
        V value = of(object);
        return value != null && !value.equals(absent);
    }

    @Nullable V read(JsonNode owner) {
        V value = place.read(owner);
        return value == null || value.equals(absent) ? absent : value; // one object for all absent values
    }

    void write(T object, JsonGenerator json) throws IOException {
        V value = of(object);
        if (value != null && (isRequired || !value.equals(absent))) {
            place.write(value, json);
        }
    }
}
