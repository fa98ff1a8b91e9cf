package dev.fakegpu.engine.cel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The expressions of {@code src/test/resources/cel/corpus.yaml}. */
class SelectorCorpusTest {

    private static final Environment ENVIRONMENT = new Environment(SelectorFeatures.ALL);

    /** Not shared, since an expression caches its result, which would hide a mutation of the code that computes it. */
    private final Selectors selectors = new Selectors();

    record Corpus(Map<String, Features> devices, List<Case> cases) {}

    record Features(Map<String, JsonNode> attributes, Map<String, String> capacity) {}

    record Case(
            String name,
            String expression,
            @Nullable String device,
            @Nullable String driver,
            @Nullable Map<String, JsonNode> attributes,
            @Nullable Map<String, String> capacity,
            boolean allowMultipleAllocations,
            boolean derived,
            String expect,
            @Nullable JsonNode value,
            @Nullable Long cost,
            @Nullable String upstream,
            @JsonProperty("why") @Nullable String reason) {

        String driverName() {
            return driver == null ? "dra.example.com" : driver;
        }
    }

    @TestFactory
    Stream<DynamicTest> everyExpressionHasTheExpectedResult() throws IOException {
        try (var file = SelectorCorpusTest.class.getResourceAsStream("/cel/corpus.yaml")) {
            Corpus corpus = new YAMLMapper().readValue(file, Corpus.class);
            return corpus.cases().stream()
                    .map(test ->
                            DynamicTest.dynamicTest(test.name(), () -> check(test, device(test, corpus.devices()))));
        }
    }

    private void check(Case test, Device device) {
        if (test.derived()) {
            DerivedAttributeResult result = selectors
                    .compileDerivedAttribute(test.expression())
                    .evaluate(test.driverName(), device, InterruptCheck.NEVER);
            assertThat(outcome(result)).as("%s", result).isEqualTo(test.expect());
            if (result instanceof DerivedAttributeResult.Value value) {
                assertThat(value.value()).isEqualTo(attribute(Objects.requireNonNull(test.value())));
            }
        } else {
            SelectorResult result = selectors.compile(test.expression()).evaluate(test.driverName(), device);
            assertThat(outcome(result)).as("%s", result).isEqualTo(test.expect());
        }
        if (test.cost() != null) {
            Expression expression = ENVIRONMENT.compile(test.expression());
            assertThat(expression
                            .evaluate(test.driverName(), device, InterruptCheck.NEVER)
                            .cost())
                    .as("cost")
                    .isEqualTo(test.cost());
        }
    }

    private static String outcome(SelectorResult result) {
        if (result instanceof SelectorResult.Error error) {
            return outcome(error.message());
        }
        return result instanceof SelectorResult.Match ? "match" : "no match";
    }

    private static String outcome(DerivedAttributeResult result) {
        return result instanceof DerivedAttributeResult.Error error ? outcome(error.message()) : "value";
    }

    private static String outcome(String error) {
        if (error.contains("actual cost limit exceeded")) {
            return "cost limit";
        }
        return error.startsWith("CEL compile error") ? "compile error" : "runtime error";
    }

    private static Device device(Case test, Map<String, Features> devices) {
        Features features = test.device() == null
                ? new Features(
                        Objects.requireNonNullElse(test.attributes(), Map.of()),
                        Objects.requireNonNullElse(test.capacity(), Map.of()))
                : Objects.requireNonNull(devices.get(test.device()));
        var attributes = new LinkedHashMap<String, AttributeValue>();
        features.attributes().forEach((name, value) -> attributes.put(name, attribute(value)));
        var capacity = new LinkedHashMap<String, DeviceCapacity>();
        features.capacity().forEach((name, value) -> capacity.put(name, DeviceCapacity.of(Quantity.parse(value))));
        return new Device(
                "device-0",
                attributes,
                capacity,
                List.of(),
                List.of(),
                test.allowMultipleAllocations(),
                null,
                Device.Binding.NONE);
    }

    /** In the corpus, a version is an object, and a value of an unknown kind is null. */
    private static AttributeValue attribute(@Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return new AttributeValue.Unknown();
        }
        if (value.has("version")) {
            return AttributeValue.version(value.get("version").asText());
        }
        if (value.has("versions")) {
            return AttributeValue.versions(
                    elements(value.get("versions")).map(JsonNode::asText).toList());
        }
        return value.isArray() ? list(value) : scalar(value);
    }

    private static AttributeValue scalar(JsonNode value) {
        if (value.isBoolean()) {
            return AttributeValue.of(value.booleanValue());
        }
        return value.isNumber() ? AttributeValue.of(value.longValue()) : AttributeValue.of(value.textValue());
    }

    private static AttributeValue list(JsonNode value) {
        if (value.isEmpty() || value.get(0).isTextual()) {
            return AttributeValue.strings(elements(value).map(JsonNode::asText).toList());
        }
        return value.get(0).isBoolean()
                ? AttributeValue.bools(elements(value).map(JsonNode::asBoolean).toList())
                : AttributeValue.ints(elements(value).map(JsonNode::asLong).toList());
    }

    private static Stream<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }
}
