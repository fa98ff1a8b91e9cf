package dev.fakegpu.dra.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.io.IOException;
import java.io.StringWriter;

/**
 * JSON that passes through without being interpreted: opaque parameters of a claim, and the data that drivers keep in its status.
 * Fields keep their order, and numbers their digits. Whoever needs the content parses {@link #text}.
 *
 * @param text one JSON value without white space around it
 */
@JsonSerialize(using = RawJson.Writer.class)
@JsonDeserialize(using = RawJson.Reader.class)
public record RawJson(String text) {

    /** Go's decoder, and so the API server, accepts 10,000 levels. */
    public static final int MAX_DEPTH = 10_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH + 1).build())
            .streamWriteConstraints(
                    StreamWriteConstraints.builder().maxNestingDepth(MAX_DEPTH + 1).build())
            .build();

    /** Copies token by token, since recursion would overflow the stack before the deepest value that the API accepts. */
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

    /** Reads whatever value comes next. */
    public static final class Reader extends JsonDeserializer<RawJson> {

        @Override
        public RawJson deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            var text = new StringWriter();
            try (JsonGenerator generator = JSON.createGenerator(text)) {
                copy(parser, generator);
            }
            return new RawJson(text.toString());
        }
    }

    /** Writes the value, in whatever format is being written. */
    static final class Writer extends JsonSerializer<RawJson> {

        @Override
        public void serialize(RawJson json, JsonGenerator generator, SerializerProvider provider) throws IOException {
            try (JsonParser parser = JSON.createParser(json.text())) {
                parser.nextToken();
                copy(parser, generator);
            }
        }
    }
}
