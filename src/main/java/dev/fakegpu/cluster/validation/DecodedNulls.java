package dev.fakegpu.cluster.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Treats {@code null} as the API server does: as a field that is not set, or, as an item of a list or a value of a map, as the zero value
 * of its type.
 */
final class DecodedNulls {

    private static final Set<String> TEXTS = Set.of("labels", "annotations", "matchLabels", "nodeSelector");
    private static final Set<String> AMOUNTS = Set.of("limits", "requests", "allocatable", "hard", "capacity");
    private static final Set<String> OBJECTS = Set.of("attributes", "capacity", "counters", "nodeAllocatableResources");

    /** Opaque data, which is not decoded and can be nested deeply. */
    private static final Set<String> OPAQUE = Set.of("parameters", "data");

    private DecodedNulls() {}

    /** Returns the same object, or a copy if it has nulls. */
    static JsonNode of(JsonNode object) {
        if (!hasNull(object)) {
            return object;
        }
        JsonNode copy = object.deepCopy();
        replace(copy, "");
        return copy;
    }

    private static boolean hasNull(JsonNode node) {
        if (node.isObject()) {
            for (var entry : node.properties()) {
                if (!OPAQUE.contains(entry.getKey()) && hasNull(entry.getValue())) {
                    return true;
                }
            }
            return false;
        }
        for (JsonNode item : node) {
            if (hasNull(item)) {
                return true;
            }
        }
        return node.isNull();
    }

    private static void replace(JsonNode node, String name) {
        if (node instanceof ObjectNode object) {
            List<String> keys =
                    object.propertyStream().map(entry -> entry.getKey()).toList();
            for (String key : keys) {
                if (object.path(key).isNull()) { // even opaque data, which is missing then
                    zero(object, name).ifPresentOrElse(zero -> object.set(key, zero), () -> object.remove(key));
                } else if (!OPAQUE.contains(key)) {
                    replace(object.path(key), key);
                }
            }
        } else if (node instanceof ArrayNode list) {
            for (int i = 0; i < list.size(); i++) {
                if (list.get(i).isNull()) {
                    list.set(i, TextNode.valueOf("")); // an object without fields would look the same
                } else {
                    replace(list.get(i), "");
                }
            }
        }
    }

    /** The zero value of a map's values; empty if it is an object with fields. */
    private static Optional<JsonNode> zero(ObjectNode map, String name) {
        if (TEXTS.contains(name)) {
            return Optional.of(TextNode.valueOf(""));
        }
        boolean hasObjects = map.valueStream().anyMatch(JsonNode::isObject);
        if (AMOUNTS.contains(name) && !hasObjects) {
            return Optional.of(TextNode.valueOf("0"));
        }
        return OBJECTS.contains(name) ? Optional.of(map.objectNode()) : Optional.empty();
    }
}
