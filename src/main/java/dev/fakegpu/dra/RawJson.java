package dev.fakegpu.dra;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * JSON that is passed on without being interpreted: the opaque parameters of a claim, and the data that drivers write to its status. The
 * order of fields and the digits of numbers are preserved. To use the content, parse {@link #text}.
 *
 * @param text one JSON value without white space around it
 */
@JsonSerialize(using = RawJson.Writer.class)
@JsonDeserialize(using = RawJson.Reader.class)
public record RawJson(String text) {

    /** Go's decoder, and therefore the API server, accepts 10,000 levels. */
    public static final int MAX_DEPTH = 10_000;

    private static final JsonFactory JSON = ApiJson.factory(MAX_DEPTH + 1);

    private static final ObjectMapper MAPPER = new JsonMapper(JSON);

    /** Creates raw JSON from a value as Jackson reads and writes it: maps, lists, strings, numbers, or raw JSON. */
    public static RawJson of(Object value) {
        try {
            return value instanceof RawJson json ? json : new RawJson(MAPPER.writeValueAsString(value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The fields of an object by name, in order; empty if the value is not an object. */
    public Map<String, RawJson> fields() {
        var fields = new LinkedHashMap<String, RawJson>();
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() == JsonToken.START_OBJECT) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    String name = parser.currentName();
                    parser.nextToken();
                    fields.put(name, read(parser));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fields;
    }

    /** The value as maps, lists, strings, numbers and booleans. */
    public Object value() {
        try {
            return MAPPER.readValue(text, Object.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RawJson read(JsonParser parser) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(text)) {
            copy(parser, generator);
        }
        return new RawJson(text.toString());
    }

    /** Copies token by token, since recursion could overflow the stack on values that the API accepts. */
    private static void copy(JsonParser from, JsonGenerator to) throws IOException {
        int depth = 0;
        do {
            JsonToken token = from.currentToken();
            if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            }
            if (token.isNumeric()) {
                to.writeNumber(from.getText());
            } else {
                to.copyCurrentEvent(from);
            }
        } while (depth > 0 && from.nextToken() != null);
    }

    /** Reads the next value, whatever its type. */
    public static final class Reader extends JsonDeserializer<RawJson> {

        @Override
        public RawJson deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return read(parser);
        }
    }

    /** Writes the value in the generator's format. In a tree, it becomes an embedded object. */
    static final class Writer extends JsonSerializer<RawJson> {

        @Override
        public void serialize(RawJson json, JsonGenerator generator, SerializerProvider provider) throws IOException {
            if (generator instanceof TokenBuffer) {
                // A tree is being built, which keeps the value as it is.
                generator.writeEmbeddedObject(json);
                return;
            }
            try (JsonParser parser = JSON.createParser(json.text())) {
                parser.nextToken();
                copy(parser, generator);
            }
        }
    }
}
