package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Makes a problem as small as possible while a condition still holds, by removing one part after the other. */
public final class Shrinker {

    /** Fields that the API requires. Without them, a problem would show how two programs parse it, not how they decide. */
    private static final Set<String> KEPT = Set.of(
            "node",
            "metadata",
            "name",
            "spec",
            "driver",
            "pool",
            "generation",
            "resourceSliceCount",
            "deviceClassName",
            "allocationMode",
            "count",
            "value",
            "key",
            "operator",
            "effect",
            "counterSet",
            "opaque",
            "cel",
            "expression",
            "device",
            "shareID",
            "min",
            "default");

    private final Predicate<ObjectNode> shows;

    public Shrinker(Predicate<ObjectNode> shows) {
        this.shows = shows;
    }

    public ObjectNode shrink(ObjectNode problem) {
        ObjectNode smallest = problem;
        boolean shrunk = true;
        while (shrunk) {
            ObjectNode smaller = withoutEachPart(smallest);
            shrunk = smaller != smallest;
            smallest = smaller;
        }
        return smallest;
    }

    /** Later parts are removed first, so that the pointers to earlier ones remain valid. */
    private ObjectNode withoutEachPart(ObjectNode problem) {
        ObjectNode smallest = problem;
        for (JsonPointer part : parts(problem)) {
            if (smallest.at(part).isMissingNode()) {
                continue;
            }
            for (ObjectNode smaller : without(smallest, part)) {
                if (shows.test(smaller)) {
                    smallest = smaller;
                    break;
                }
            }
        }
        return smallest;
    }

    private static List<JsonPointer> parts(ObjectNode problem) {
        var parts = new ArrayList<JsonPointer>();
        collect(problem, JsonPointer.empty(), parts);
        Collections.reverse(parts);
        parts.sort((a, b) -> Integer.compare(depth(a), depth(b)));
        return parts;
    }

    private static int depth(JsonPointer pointer) {
        return (int) pointer.toString().chars().filter(c -> c == '/').count();
    }

    private static void collect(JsonNode node, JsonPointer at, List<JsonPointer> parts) {
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonPointer element = at.appendIndex(i);
                parts.add(element);
                collect(array.get(i), element, parts);
            }
        }
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                JsonPointer value = at.appendProperty(field.getKey());
                if (!KEPT.contains(field.getKey()) || field.getKey().equals("count")) {
                    parts.add(value);
                }
                collect(field.getValue(), value, parts);
            });
        }
    }

    /**
     * The variants of the problem without a part. A slice is also removed in a way that keeps its pool complete. A count is decreased,
     * alone and with one device removed. A node selector is replaced with all nodes, in case one of both is required.
     */
    private static List<ObjectNode> without(ObjectNode problem, JsonPointer part) {
        ObjectNode smaller = problem.deepCopy();
        JsonNode parent = smaller.at(part.head());
        if (parent instanceof ObjectNode object) {
            String field = part.last().getMatchingProperty();
            JsonNode removed = object.remove(field);
            if (field.equals("count")) {
                object.put(field, removed.asLong() - 1);
                return removed.asLong() > 1
                        ? Stream.concat(Stream.of(smaller), withoutOneDevice(smaller))
                                .toList()
                        : List.of();
            }
            if (field.equals("nodeSelector")) {
                ObjectNode forAll = smaller.deepCopy();
                ((ObjectNode) forAll.at(part.head())).put("allNodes", true);
                return List.of(smaller, forAll);
            }
            return List.of(smaller);
        }
        JsonNode removed = ((ArrayNode) parent).remove(part.last().getMatchingIndex());
        return removed.path("spec").has("pool")
                ? List.of(withSmallerPool(smaller, removed), smaller)
                : List.of(smaller);
    }

    /** The variants of the problem without one device: the first one, the second one, and so on. */
    private static Stream<ObjectNode> withoutOneDevice(ObjectNode problem) {
        var parts = new ArrayList<JsonPointer>();
        collect(problem.path("slices"), JsonPointer.compile("/slices"), parts);
        return parts.stream()
                .filter(part -> part.toString().matches("/slices/\\d+/spec/devices/\\d+"))
                .flatMap(device -> without(problem, device).stream());
    }

    private static ObjectNode withSmallerPool(ObjectNode problem, JsonNode removed) {
        ObjectNode smaller = problem.deepCopy();
        smaller.get("slices").forEach(slice -> {
            ObjectNode pool = (ObjectNode) slice.get("spec").get("pool");
            if (pool.equals(removed.get("spec").get("pool"))) {
                pool.put("resourceSliceCount", pool.get("resourceSliceCount").asInt() - 1);
            }
        });
        return smaller;
    }
}
