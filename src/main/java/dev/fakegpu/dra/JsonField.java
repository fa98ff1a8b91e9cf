package dev.fakegpu.dra;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A field of a type of {@code resource.k8s.io}.
 *
 * @param <T> the type's values
 * @param <V> the field's values
 */
public final class JsonField<T, V> {

    /** What a field is in a value; null if it is missing. */
    @FunctionalInterface
    interface Getter<T, V> {
        @Nullable V of(T object);
    }

    /** Where a field's value is in the object that has it. */
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

    /** A field that is always written; if it is missing, it is read as Go does, as zero or an empty string. */
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

    /** Fields of the object itself that make one value. */
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

    /** In the value; if it is one property in JSON, that has the same name. */
    public String name() {
        return name;
    }

    /** The names in JSON, each with what it contains. */
    public Map<String, JsonValue<?>> properties() {
        return place.properties();
    }

    public @Nullable V of(T object) {
        return of.of(object);
    }

    /** What the field is if it is missing. */
    @Nullable V absent() {
        return absent;
    }

    /** Whether an object has it. */
    public boolean isIn(T object) {
        V value = of(object);
        return value != null && !value.equals(absent);
    }

    @Nullable V read(JsonNode owner) {
        V value = place.read(owner);
        return value == null || value.equals(absent) ? absent : value; // equal values take memory once
    }

    void write(T object, JsonGenerator json) throws IOException {
        V value = of(object);
        if (value != null && (isRequired || !value.equals(absent))) {
            place.write(value, json);
        }
    }
}
