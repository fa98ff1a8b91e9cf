package dev.fakegpu.dra.field;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.dra.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** How a value of {@code resource.k8s.io} is represented in JSON. */
public interface JsonValue<V> {

    /**
     * Thrown if the JSON does not have the shape of the API. It has no stack trace, since it serves to tell unusual slices from usual ones.
     */
    final class OtherShapeException extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        OtherShapeException(String expected, JsonNode json) {
            super("has another shape: " + json.getNodeType() + " instead of " + expected);
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }

    JsonValue<String> TEXT =
            scalar("a string", JsonNode::isTextual, JsonNode::textValue, (json, text) -> json.writeString(text));
    JsonValue<Boolean> BOOL = scalar(
            "true or false", JsonNode::isBoolean, JsonNode::booleanValue, (json, bool) -> json.writeBoolean(bool));
    JsonValue<Long> INTEGER = scalar(
            "an integer",
            json -> json.isIntegralNumber() && json.canConvertToLong(),
            JsonNode::longValue,
            (json, number) -> json.writeNumber(number));
    JsonValue<Quantity> QUANTITY = scalar(
            "a quantity",
            JsonNode::isTextual,
            json -> Quantity.parse(json.textValue()),
            (json, quantity) -> json.writeString(quantity.toString()));

    /** @throws IllegalArgumentException if the JSON has another shape, or is a malformed quantity */
    V read(JsonNode json);

    void write(V value, JsonGenerator json) throws IOException;

    /** The type of the objects that the value consists of; empty if it has none. */
    default Optional<JsonType<?>> content() {
        return Optional.empty();
    }

    /** Whether users choose the names of the fields of its objects. */
    default boolean isMap() {
        return false;
    }

    /** Writes one value. */
    interface Write<V> {
        void write(JsonGenerator json, V value) throws IOException;
    }

    static <V> JsonValue<V> scalar(
            String shape, Predicate<JsonNode> isRight, Function<JsonNode, V> read, Write<V> write) {
        return new JsonValue<>() {
            @Override
            public V read(JsonNode json) {
                if (!isRight.test(json)) {
                    throw new OtherShapeException(shape, json);
                }
                return read.apply(json);
            }

            @Override
            public void write(V value, JsonGenerator json) throws IOException {
                write.write(json, value);
            }
        };
    }

    static <V> JsonValue<List<V>> list(JsonValue<V> element) {
        return new JsonValue<>() {
            @Override
            public List<V> read(JsonNode json) {
                if (!json.isArray()) {
                    throw new OtherShapeException("a list", json);
                }
                var list = new ArrayList<V>(json.size());
                json.forEach(each -> list.add(element.read(each)));
                return list;
            }

            @Override
            public void write(List<V> list, JsonGenerator json) throws IOException {
                json.writeStartArray();
                for (V each : list) {
                    element.write(each, json);
                }
                json.writeEndArray();
            }

            @Override
            public Optional<JsonType<?>> content() {
                return element.content();
            }
        };
    }

    static <V> JsonValue<Map<String, V>> map(JsonValue<V> value) {
        return new JsonValue<>() {
            @Override
            public Map<String, V> read(JsonNode json) {
                if (!json.isObject()) {
                    throw new OtherShapeException("an object", json);
                }
                var map = new LinkedHashMap<String, V>();
                json.properties().forEach(entry -> map.put(entry.getKey(), value.read(entry.getValue())));
                return map;
            }

            @Override
            public void write(Map<String, V> map, JsonGenerator json) throws IOException {
                json.writeStartObject();
                for (var entry : map.entrySet()) {
                    json.writeFieldName(entry.getKey());
                    value.write(entry.getValue(), json);
                }
                json.writeEndObject();
            }

            @Override
            public Optional<JsonType<?>> content() {
                return value.content();
            }

            @Override
            public boolean isMap() {
                return true;
            }
        };
    }
}
