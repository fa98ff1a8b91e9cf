package dev.fakegpu.e2e.faults;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Consumer;

/** Changes API objects to what another version of the API server would send. */
public final class ObjectRewrite {

    /** The label that {@link #unreadableFields} looks for. */
    public static final String LABEL = "e2e.example.com/unreadable";

    /** The field that {@link #unknownFields} adds. */
    public static final String FUTURE = "futureField";

    /** Maps and opaque JSON, which have no fixed fields. */
    private static final Set<String> MAPS =
            Set.of("data", "parameters", "labels", "annotations", "consumedCapacity", "capacity", "allocatable");

    private static final ObjectMapper JSON = mapper();

    private final Consumer<ObjectNode> change;

    private ObjectRewrite(Consumer<ObjectNode> change) {
        this.change = change;
    }

    /** Writes a text to the field that {@link #LABEL} names, such as {@code spec.priority}, regardless of the field's type. */
    public static ObjectRewrite unreadableFields() {
        return new ObjectRewrite(object -> {
            String field = object.path("metadata").path("labels").path(LABEL).asText();
            int parent = field.lastIndexOf('.');
            if (!field.isEmpty()) {
                object.withObject(
                                parent < 0
                                        ? ""
                                        : "/" + field.substring(0, parent).replace('.', '/'))
                        .put(field.substring(parent + 1), "unreadable");
            }
        });
    }

    /** Adds a field to the metadata, to the spec, and to every object in the status. */
    public static ObjectRewrite unknownFields() {
        return new ObjectRewrite(object -> {
            object.withObject("/metadata").put(FUTURE, "x");
            object.withObject("/spec").withObject("/" + FUTURE).put("a", 1);
            addTo(object.withObject("/status"));
        });
    }

    /** @param body an object, a list, or an event of a watch */
    String changed(String body) {
        try {
            JsonNode tree = JSON.readTree(body);
            if (tree.path("items").isArray()) {
                tree.path("items").forEach(this::apply);
            } else {
                apply(tree.path("object").isObject() ? tree.path("object") : tree);
            }
            return JSON.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void apply(JsonNode node) {
        if (node instanceof ObjectNode object
                && object.path("metadata").isObject()
                && !object.path("kind").asText().equals("Status")) {
            change.accept(object);
        }
    }

    private static void addTo(JsonNode node) {
        if (node instanceof ObjectNode fields) {
            fields.properties().forEach(field -> {
                if (!MAPS.contains(field.getKey())) {
                    addTo(field.getValue());
                }
            });
            fields.put(FUTURE, 7);
        } else {
            node.forEach(ObjectRewrite::addTo);
        }
    }

    private static ObjectMapper mapper() {
        var mapper = new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
        mapper.getFactory()
                .setStreamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .build());
        mapper.getFactory()
                .setStreamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(Integer.MAX_VALUE)
                        .build());
        return mapper;
    }
}
