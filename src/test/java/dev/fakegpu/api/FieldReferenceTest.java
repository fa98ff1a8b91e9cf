package dev.fakegpu.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/fakegpu-fields.md} has the description of each field in the definition. */
class FieldReferenceTest {

    private static final String HEAD = """
            # Fields of a FakeGpu

            This page is generated from [the CRD](../crds/fakegpus.fakegpu.dev.yaml) by `FieldReferenceTest`; do not edit it. [FakeGpu](fakegpu.md) explains the
            fields with examples, and describes the operator's additional checks. `kubectl explain fakegpu.spec` also prints the descriptions. `[]` stands for an
            entry of a list, and `<key>` for an entry of a map.

            | field | type | limits | |
            |---|---|---|---|
            """;
    private static final String RULES = """

            ## Rules

            In addition to these limits, the API server enforces these rules:

            | in | rule |
            |---|---|
            """;

    private final List<String> fields = new ArrayList<>();
    private final List<String> rules = new ArrayList<>();

    @Test
    void pageIsCurrent() throws IOException {
        JsonNode definition = new YAMLMapper()
                .readTree(ProjectFiles.resolve("crds/fakegpus.fakegpu.dev.yaml").toFile());
        JsonNode schema = definition.at("/spec/versions/0/schema/openAPIV3Schema");
        describe("", schema);
        Path page = ProjectFiles.resolve("docs/fakegpu-fields.md");
        String expected = HEAD + String.join("", fields) + RULES + String.join("", rules);

        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(page, expected);
        }
        assertThat(Files.readString(page)).isEqualTo(expected);
        assertThat(fields).hasSizeGreaterThan(100);
    }

    private void describe(String path, JsonNode schema) {
        schema.path("x-kubernetes-validations")
                .forEach(rule -> rules.add("| `%s` | %s |\n"
                        .formatted(
                                path.isEmpty() ? "the object" : path,
                                cell(rule.path("message")
                                        .asText(rule.path("rule").asText())))));
        var required = texts(schema.path("required"));
        schema.path("properties").properties().forEach(property -> {
            String name = path.isEmpty() ? property.getKey() : path + "." + property.getKey();
            JsonNode field = property.getValue();
            fields.add("| `%s` | %s | %s | %s |\n"
                    .formatted(
                            name,
                            type(field),
                            String.join(
                                    "; ",
                                    Stream.concat(
                                                    required.contains(property.getKey())
                                                            ? Stream.of("required")
                                                            : Stream.of(),
                                                    limits(field))
                                            .toList()),
                            cell(field.path("description").asText())));
            describe(name, field);
        });
        if (schema.has("items")) {
            describe(path + "[]", schema.get("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            describe(path + ".<key>", schema.get("additionalProperties"));
        }
    }

    private static String type(JsonNode schema) {
        if (schema.has("items")) {
            return "list of " + type(schema.get("items"));
        }
        if (schema.path("additionalProperties").isObject()) {
            return "map of " + type(schema.get("additionalProperties"));
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return "quantity";
        }
        return schema.path("type").asText("any");
    }

    private static Stream<String> limits(JsonNode schema) {
        return Stream.of(
                        text(schema, "default").map("default `%s`"::formatted),
                        Optional.of(texts(schema.path("enum")))
                                .filter(values -> !values.isEmpty())
                                .map(values -> "`" + String.join("`, `", values) + "`"),
                        text(schema, "minimum").map("at least %s"::formatted),
                        text(schema, "maximum").map("at most %s"::formatted),
                        text(schema, "minItems").map("%s or more"::formatted),
                        text(schema, "maxItems").map("%s or fewer"::formatted),
                        text(schema, "maxProperties").map("%s or fewer"::formatted),
                        text(schema, "minLength").map("%s or more characters"::formatted),
                        text(schema, "maxLength").map("%s or fewer characters"::formatted),
                        text(schema, "pattern").map(pattern -> "`" + cell(pattern) + "`"))
                .flatMap(Optional::stream);
    }

    private static Optional<String> text(JsonNode schema, String name) {
        return Optional.ofNullable(schema.get(name)).map(JsonNode::asText);
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    /** The text as the cell of a table. */
    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ");
    }
}
