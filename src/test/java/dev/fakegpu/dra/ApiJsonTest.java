package dev.fakegpu.dra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ApiJsonTest {

    private static final byte[] JSON = ("{\"" + "x".repeat(40_000) + "\":1}").getBytes(UTF_8);

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

    private static WeakReference<String> firstName(JsonParser open) throws IOException {
        try (JsonParser parser = open) {
            parser.nextToken();
            return new WeakReference<>(parser.nextFieldName());
        }
    }
}
