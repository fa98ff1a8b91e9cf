package dev.fakegpu.dra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApiJsonTest {

    private static final byte[] JSON = ("{\"" + "x".repeat(40_000) + "\":1}").getBytes(UTF_8);

    /** Modulo 2^32. */
    private static final int INVERSE_OF_33 = 0x3E0F83E1;

    static Stream<JsonFactory> factories() {
        return Stream.of(ApiJson.factory(10), ApiJson.forParts());
    }

    @ParameterizedTest
    @MethodSource("factories")
    void namesOfFieldsAreNotKeptAfterTheParserIsClosed(JsonFactory factory) throws IOException {
        // When
        WeakReference<String> ofBytes = firstName(factory.createParser(new ByteArrayInputStream(JSON)));
        WeakReference<String> ofText = firstName(factory.createParser(new String(JSON, UTF_8)));

        // Then
        Awaitility.await().untilAsserted(() -> {
            System.gc();
            assertThat(ofBytes.get()).isNull();
            assertThat(ofText.get()).isNull();
        });
    }

    /** Jackson's table of names in bytes refuses the 530th, and without its limit, it takes quadratic time. */
    @ParameterizedTest
    @MethodSource("factories")
    void namesMayHaveEqualHashCodes(JsonFactory factory) throws IOException {
        // Given
        byte[] json = colliding(1000).stream()
                .map(name -> '"' + name + "\":1")
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(UTF_8);
        int names = 0;

        // When
        try (JsonParser parser = factory.createParser(new ByteArrayInputStream(json))) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                names += token == JsonToken.FIELD_NAME ? 1 : 0;
            }
        }

        // Then
        assertThat(names).isEqualTo(1000);
    }

    /** Names of 8 characters for which {@code ByteQuadsCanonicalizer.calcHash} returns the same number, whatever its seed. */
    private static Set<String> colliding(int count) {
        var random = new Random(1);
        var names = new TreeSet<String>();
        while (names.size() < count) {
            int first = 0;
            for (int letter = 0; letter < 4; letter++) {
                first = first << 8 | '0' + random.nextInt('z' - '0');
            }
            int hash = first + (first >>> 15);
            hash ^= hash >>> 9;
            int second = (12345 - hash) * INVERSE_OF_33;
            String name = new String(
                    ByteBuffer.allocate(8).putInt(first).putInt(second).array(), ISO_8859_1);
            if (name.chars().allMatch(letter -> letter >= '0' && letter <= 'z' && letter != '\\')) {
                names.add(name);
            }
        }
        return names;
    }

    private static WeakReference<String> firstName(JsonParser open) throws IOException {
        try (JsonParser parser = open) {
            parser.nextToken();
            return new WeakReference<>(parser.nextFieldName());
        }
    }
}
