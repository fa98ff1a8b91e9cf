package dev.fakegpu;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The values of {@code deploy/chart}, from {@code values.schema.json} and {@code values.yaml}. */
final class ChartSchema {

    static final JsonNode SCHEMA = read(new ObjectMapper(), "values.schema.json");
    static final JsonNode DEFAULTS = read(new YAMLMapper(), "values.yaml");

    /** These belong to parent charts, and have no effect here. */
    private static final Set<String> OF_PARENTS = Set.of("global", "enabled");

    private ChartSchema() {}

    /**
     * A value, or an object of values.
     *
     * @param path the path, such as {@code image.tag}
     */
    record Value(String path, JsonNode schema) {

        boolean isObject() {
            return schema.has("properties");
        }

        JsonNode defaultValue() {
            return DEFAULTS.at(pointer());
        }

        /** The path as in Helm's messages, such as {@code /image/tag}. */
        String pointer() {
            return "/" + path.replace('.', '/');
        }

        String description() {
            return schema.path("description").asText();
        }
    }

    /** All values, and the objects that contain them, in the order of the schema. */
    static List<Value> all() {
        var values = new ArrayList<Value>();
        collect("", SCHEMA, values);
        values.removeIf(value -> OF_PARENTS.contains(value.path()));
        return values;
    }

    /** All values that users set, without the objects that contain them. */
    static List<Value> values() {
        return all().stream().filter(value -> !value.isObject()).toList();
    }

    private static void collect(String prefix, JsonNode object, List<Value> values) {
        object.path("properties").properties().forEach(property -> {
            var value = new Value(prefix + property.getKey(), property.getValue());
            values.add(value);
            collect(value.path() + ".", value.schema(), values);
        });
    }

    private static JsonNode read(ObjectMapper mapper, String file) {
        try {
            return mapper.readTree(ProjectFiles.resolve("deploy/chart/" + file).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
