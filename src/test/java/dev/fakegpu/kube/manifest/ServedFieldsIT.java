package dev.fakegpu.kube.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.testing.ControlPlaneExtension;
import dev.fakegpu.testing.ControlPlaneOptions;
import io.fabric8.kubernetes.client.CustomResource;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that no field of the API server's schema is reported as misspelled. */
class ServedFieldsIT {

    @RegisterExtension
    static final ControlPlaneExtension controlPlane = ControlPlaneExtension.with(ControlPlaneOptions.apiServerOnly());

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MAX_DEPTH = 16;

    private final JsonNode definitions = definitions();

    private static JsonNode definitions() {
        try {
            return JSON.readTree(controlPlane.controlPlane().client().raw("/openapi/v2"))
                    .path("definitions");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Without PodGroups, which are served only with a feature gate. */
    static Stream<KnownKind> kindsOfKubernetes() {
        return Stream.of(KnownKind.values())
                .filter(kind -> !CustomResource.class.isAssignableFrom(kind.type()) && kind != KnownKind.PodGroup);
    }

    @ParameterizedTest
    @MethodSource("kindsOfKubernetes")
    void everyFieldIsKnown(KnownKind kind) {
        assertThat(ManifestFields.problems(withEveryField(definition(kind), 0), kind.type(), ""))
                .isEmpty();
    }

    private JsonNode definition(KnownKind kind) {
        return StreamSupport.stream(definitions.spliterator(), false)
                .filter(definition -> isOf(kind, definition.path("x-kubernetes-group-version-kind")))
                .findFirst()
                .orElseThrow();
    }

    private static boolean isOf(KnownKind kind, JsonNode served) {
        return served.size() == 1
                && served.get(0).path("kind").asText().equals(kind.name())
                && kind.apiVersion().endsWith(served.get(0).path("version").asText())
                && kind.apiVersion().startsWith(served.get(0).path("group").asText());
    }

    private JsonNode withEveryField(JsonNode schema, int depth) {
        JsonNodeFactory json = JSON.getNodeFactory();
        if (schema.has("$ref")) {
            String name = schema.path("$ref").asText().replaceFirst(".*/", "");
            return withEveryField(definitions.path(name), depth);
        }
        return switch (schema.path("type").asText("object")) {
            case "array" -> json.arrayNode().add(withEveryField(schema.path("items"), depth + 1));
            case "integer" -> json.numberNode(1);
            case "number" -> json.numberNode(1.5);
            case "boolean" -> json.booleanNode(true);
            case "string" -> json.textNode("1");
            default -> object(schema, json.objectNode(), depth);
        };
    }

    private JsonNode object(JsonNode schema, ObjectNode object, int depth) {
        if (schema.has("additionalProperties")) {
            return object.set("key", withEveryField(schema.path("additionalProperties"), depth + 1));
        }
        if (depth < MAX_DEPTH) {
            schema.path("properties")
                    .properties()
                    .forEach(field -> object.set(field.getKey(), withEveryField(field.getValue(), depth + 1)));
        }
        return object;
    }
}
