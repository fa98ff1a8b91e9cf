package dev.fakegpu.cluster.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
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

    private static final YAMLMapper YAML = new YAMLMapper();

    @TestFactory
    Stream<DynamicTest> mistakesAreRefused() throws IOException {
        JsonNode cases = read();
        return stream(cases.path("mistakes"))
                .map(mistake -> DynamicTest.dynamicTest(
                        mistake.path("in").asText() + " " + mistake.path("set"), () -> check(cases, mistake)));
    }

    @TestFactory
    Stream<DynamicTest> objectsWithoutTheMistakesAreAccepted() throws IOException {
        return read().path("objects").properties().stream()
                .map(object -> DynamicTest.dynamicTest(
                        object.getKey(),
                        () -> assertThat(ApiValidation.errors(object.getValue()))
                                .isEmpty()));
    }

    private static JsonNode read() throws IOException {
        return YAML.readTree(ProjectFiles.resolve("src/test/resources/validation/refused.yaml")
                .toFile());
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        var items = new ArrayList<JsonNode>();
        list.forEach(items::add);
        return items.stream();
    }

    private static void check(JsonNode cases, JsonNode mistake) {
        JsonNode object =
                cases.path("objects").path(mistake.path("in").asText()).deepCopy();
        mistake.path("set").properties().forEach(field -> set(object, field.getKey(), field.getValue()));
        List<String> refused =
                stream(mistake.path("refused")).map(JsonNode::asText).toList();

        assertThat(ApiValidation.errors(object))
                .extracting(FieldError::sentence)
                .containsExactlyInAnyOrderElementsOf(refused);
    }

    /** @param value the new value; null removes the field */
    private static void set(JsonNode object, String pointer, JsonNode value) {
        int end = pointer.lastIndexOf('/');
        JsonNode parent = object.at(pointer.substring(0, end));
        String field = pointer.substring(end + 1).replace("~1", "/");
        if (parent instanceof ArrayNode list) {
            if (field.equals("-")) {
                list.add(value);
            } else {
                list.set(Integer.parseInt(field), value);
            }
        } else if (value.isNull()) {
            ((ObjectNode) parent).remove(field);
        } else {
            ((ObjectNode) parent).set(field, value);
        }
    }
}
