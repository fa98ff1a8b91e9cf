package dev.fakegpu.dra.field;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A type of {@code resource.k8s.io}: its fields, and how to construct a value from them.
 *
 * @param <T> the Java type of the values
 */
public final class JsonType<T> implements JsonValue<T> {

    private static final JsonFactory JSON = new JsonFactory();
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final String name;
    private final List<JsonField<T, ?>> fields;
    private final Function<@Nullable Object[], T> construct;

    private JsonType(String name, List<JsonField<T, ?>> fields, Function<@Nullable Object[], T> construct) {
        this.name = name;
        this.fields = fields;
        this.construct = construct;
    }

    /** @param construct creates a value from the values of the fields, in their order */
    @SafeVarargs
    static <T> JsonType<T> of(String name, Function<@Nullable Object[], T> construct, JsonField<T, ?>... fields) {
        return new JsonType<>(name, List.of(fields), construct);
    }

    /** @param fields the fields of the record, in its order */
    @SafeVarargs
    static <T extends Record> JsonType<T> of(String name, Class<T> record, JsonField<T, ?>... fields) {
        MethodHandle constructor = constructor(record, fields.length);
        return of(name, values -> construct(record, constructor, values), fields);
    }

    private static MethodHandle constructor(Class<?> record, int fields) {
        try {
            Class<?>[] types = Arrays.stream(record.getRecordComponents())
                    .map(RecordComponent::getType)
                    .toArray(Class<?>[]::new);
            if (types.length != fields) {
                throw new IllegalStateException(record + " has not " + fields + " fields");
            }
            return LOOKUP.unreflectConstructor(record.getDeclaredConstructor(types))
                    .asSpreader(Object[].class, types.length);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("IllegalCatch") // a method handle declares Throwable; exceptions of the constructor are rethrown
    private static <T> T construct(Class<T> type, MethodHandle constructor, @Nullable Object[] values) {
        try {
            return type.cast(constructor.invoke(values));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** The name in the API, such as {@code DeviceCapacity}. */
    public String name() {
        return name;
    }

    /** The field with this name in Java, which may differ from its names in JSON. */
    public JsonField<T, ?> field(String field) {
        return fields.stream()
                .filter(each -> each.name().equals(field))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " has no field " + field));
    }

    /** The properties in JSON by name, each with its type. */
    public Map<String, JsonValue<?>> properties() {
        var properties = new LinkedHashMap<String, JsonValue<?>>();
        fields.forEach(field -> properties.putAll(field.properties()));
        return properties;
    }

    /** The values of the fields by name, in order. */
    public Map<String, @Nullable Object> values(T of) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        fields.forEach(field -> values.put(field.name(), field.of(of)));
        return values;
    }

    /** The same value with a function applied to each field, which gets its name and value. */
    public T map(T value, BiFunction<String, @Nullable Object, @Nullable Object> change) {
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = change.apply(fields.get(i).name(), fields.get(i).of(value));
        }
        return construct.apply(values);
    }

    /** The same value without one of its fields. */
    public T without(T value, String field) {
        Object absent = field(field).absent();
        return map(value, (name, each) -> name.equals(field) ? absent : each);
    }

    @Override
    public T read(JsonNode json) {
        if (!json.isObject()) {
            throw new OtherShapeException("an object", json);
        }
        return readFields(json);
    }

    /** @param owner the JSON object that has the fields */
    T readFields(JsonNode owner) {
        @Nullable Object[] values = new @Nullable Object[fields.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = fields.get(i).read(owner);
        }
        return construct.apply(values);
    }

    @Override
    public void write(T value, JsonGenerator json) throws IOException {
        json.writeStartObject();
        writeFields(value, json);
        json.writeEndObject();
    }

    /** The length of a value in bytes of JSON. */
    public int bytes(T value) {
        var json = new ByteArrayOutputStream();
        try (JsonGenerator generator = JSON.createGenerator(json)) {
            write(value, generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return json.size();
    }

    void writeFields(T value, JsonGenerator json) throws IOException {
        for (JsonField<T, ?> field : fields) {
            field.write(value, json);
        }
    }

    @Override
    public Optional<JsonType<?>> content() {
        return Optional.of(this);
    }

    @Override
    public String toString() {
        return name;
    }
}
