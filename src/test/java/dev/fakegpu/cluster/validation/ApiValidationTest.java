package dev.fakegpu.cluster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Tests that the mistakes in {@code refused.yaml} are refused with the messages of Kubernetes 1.37.1; they were compared with those of its
 * own validation.
 */
class ApiValidationTest {

    @TestFactory
    Stream<DynamicTest> mistakesAreRefused() throws IOException {
        JsonNode cases = ValidationCases.read("refused.yaml");
        return stream(cases.path("mistakes"))
                .map(mistake -> DynamicTest.dynamicTest(
                        mistake.path("in").asText() + " " + mistake.path("set"), () -> check(cases, mistake)));
    }

    @TestFactory
    Stream<DynamicTest> objectsWithoutTheMistakesAreAccepted() throws IOException {
        return ValidationCases.read("refused.yaml").path("objects").properties().stream()
                .map(object -> DynamicTest.dynamicTest(
                        object.getKey(),
                        () -> assertThat(ApiValidation.errors(object.getValue()))
                                .isEmpty()));
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        var items = new ArrayList<JsonNode>();
        list.forEach(items::add);
        return items.stream();
    }

    private static void check(JsonNode cases, JsonNode mistake) {
        JsonNode object = ValidationCases.mistaken(
                cases.path("objects").path(mistake.path("in").asText()), mistake);
        List<String> refused =
                stream(mistake.path("refused")).map(JsonNode::asText).toList();

        assertThat(ApiValidation.errors(object))
                .extracting(FieldError::sentence)
                .containsExactlyInAnyOrderElementsOf(refused);
    }
}
