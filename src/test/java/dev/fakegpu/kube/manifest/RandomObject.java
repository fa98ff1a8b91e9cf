package dev.fakegpu.kube.manifest;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.kube.client.ClientSerialization;
import java.util.Random;

/** An API object with random fields: half of the fields in the client's classes, at any depth. */
final class RandomObject {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final Random random;

    RandomObject(Random random) {
        this.random = random;
    }

    /** The object, without {@code status}. */
    ObjectNode of(KnownKind kind) {
        var type = ClientSerialization.mapper().constructType(kind.type());
        ObjectNode object =
                NODES.objectNode().put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        object.putObject("metadata").put("name", "random");
        ManifestFields.fields(type).forEach((name, field) -> {
            if (name.equals("spec")) {
                object.set(name, value(field));
            }
        });
        return object;
    }

    private JsonNode value(JavaType type) {
        if (type.isCollectionLikeType()) {
            var list = NODES.arrayNode();
            for (int i = random.nextInt(2); i >= 0; i--) {
                list.add(value(type.getContentType()));
            }
            return list;
        }
        if (type.isMapLikeType()) {
            return NODES.objectNode().set("example.com/" + random.nextInt(10), value(type.getContentType()));
        }
        Class<?> raw = type.getRawClass();
        if (raw == Boolean.class) {
            return NODES.booleanNode(random.nextBoolean());
        }
        if (Number.class.isAssignableFrom(raw)) {
            return NODES.numberNode(1 + random.nextInt(9));
        }
        return ManifestFields.isObject(type) ? object(type) : NODES.textNode("v" + random.nextInt(10));
    }

    /** An object with at least one field, because {@code v1beta1} has no empty {@code exactly}. */
    private ObjectNode object(JavaType type) {
        var object = NODES.objectNode();
        while (object.isEmpty()) {
            ManifestFields.fields(type).forEach((name, field) -> {
                if (random.nextBoolean() && !name.equals("metadata")) {
                    object.set(name, value(field));
                }
            });
        }
        return object;
    }
}
