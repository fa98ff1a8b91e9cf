package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;

/** Reads the files of {@code src/test/resources/validation}: objects, and mistakes in them. */
final class ValidationCases {

    private static final YAMLMapper YAML = new YAMLMapper();

    private ValidationCases() {}

    static JsonNode read(String file) throws IOException {
        return YAML.readTree(
                ProjectFiles.resolve("src/test/resources/validation/" + file).toFile());
    }

    /** The object with the mistake. */
    static JsonNode mistaken(JsonNode object, JsonNode mistake) {
        JsonNode copy = object.deepCopy();
        mistake.path("set").properties().forEach(field -> set(copy, field.getKey(), field.getValue()));
        return copy;
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
