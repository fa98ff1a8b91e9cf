package dev.fakegpu.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The expressions of {@code src/test/resources/cel/corpus.yaml}. */
class SelectorCorpusTest {

    private static final Selectors SELECTORS = new Selectors();

    record Case(
            String name,
            @Nullable String driver,
            String expression,
            @Nullable Map<String, JsonNode> attributes,
            @Nullable Map<String, String> capacity,
            @Nullable String expect,
            @Nullable String error) {}

    @TestFactory
    Stream<DynamicTest> everyExpressionSaysWhatItMust() throws IOException {
        try (var corpus = SelectorCorpusTest.class.getResourceAsStream("/cel/corpus.yaml")) {
            List<Case> cases = new YAMLMapper().readValue(corpus, new TypeReference<>() {});
            return cases.stream().map(test -> DynamicTest.dynamicTest(test.name(), () -> check(test)));
        }
    }

    private static void check(Case test) {
        String driver = test.driver() == null ? "dra.example.com" : test.driver();

        SelectorResult result = SELECTORS.compile(test.expression()).evaluate(driver, device(test));

        if (test.error() != null) {
            assertThat(result)
                    .isInstanceOfSatisfying(
                            SelectorResult.Error.class,
                            error -> assertThat(error.message()).contains(test.error()));
        } else {
            assertThat(result)
                    .isEqualTo(
                            "match".equals(test.expect()) ? new SelectorResult.Match() : new SelectorResult.NoMatch());
        }
    }

    private static Device device(Case test) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        if (test.attributes() != null) {
            test.attributes().forEach((name, value) -> attributes.put(name, attribute(value)));
        }
        var capacity = new LinkedHashMap<String, Quantity>();
        if (test.capacity() != null) {
            test.capacity().forEach((name, value) -> capacity.put(name, Quantity.parse(value)));
        }
        return new Device("device-0", attributes, capacity, List.of(), List.of());
    }

    private static AttributeValue attribute(JsonNode value) {
        if (value.isObject()) {
            return AttributeValue.version(value.get("version").asText());
        }
        if (value.isBoolean()) {
            return AttributeValue.of(value.booleanValue());
        }
        return value.isNumber() ? AttributeValue.of(value.longValue()) : AttributeValue.of(value.textValue());
    }
}
