package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Makes up to two mistakes at random places of valid objects. */
final class ObjectMutations {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final List<String> WORDS = List.of(
            "",
            "a",
            "A",
            "a_b",
            "a b",
            "-a",
            "a.b",
            "1",
            "a/b",
            "a/b/c",
            "Example.com/a-b",
            "example.com/a",
            "example.com/A_b",
            "kubernetes.io/a",
            "gpu",
            "nic/fast",
            "All",
            "Exists",
            "Equal",
            "NoSchedule",
            "NoExecute",
            "true",
            "1.2",
            "1.2.3",
            "hugepages-1Gi",
            "device.driver ==",
            "device.driver == \"x\"",
            "a".repeat(64),
            "a".repeat(254),
            "*");

    private static final List<Object> AMOUNTS =
            List.of("0", "-1", "1", "1500m", "0.5", "2", "1Gi", "1e3", "x", "100", 3, 40);

    private static final List<Long> NUMBERS = List.of(-1L, 0L, 1L, 2L, 7L, 100L, 1_000_000_001L);

    private final Random random;
    private final List<JsonNode> objects;

    /** The values of fields in all objects, by the name of the field. */
    private final Map<String, List<JsonNode>> values = new LinkedHashMap<>();

    /** The names of sibling fields in all objects, by the name of the parent field. */
    private final Map<String, List<String>> siblings = new LinkedHashMap<>();

    /**
     * A changed object.
     *
     * @param edits a description of each change
     */
    record Mutated(JsonNode object, List<String> edits) {}

    private record Place(JsonNode parent, String key, JsonNode value, String path) {}

    /**
     * Makes mistakes in objects.
     *
     * @param models where added fields and values come from
     */
    ObjectMutations(List<JsonNode> objects, List<JsonNode> models, long seed) {
        this.objects = objects;
        this.random = new Random(seed);
        models.forEach(object -> learn(object, "object"));
    }

    private void learn(JsonNode node, String name) {
        if (node.isObject()) {
            node.properties().forEach(entry -> {
                List<String> known = siblings.computeIfAbsent(name, ignored -> new ArrayList<>());
                if (!known.contains(entry.getKey())) {
                    known.add(entry.getKey());
                }
                values.computeIfAbsent(entry.getKey(), ignored -> new ArrayList<>())
                        .add(entry.getValue());
                learn(entry.getValue(), entry.getKey());
            });
        } else {
            node.forEach(item -> learn(item, name));
        }
    }

    Mutated next() {
        JsonNode object = pick(objects).deepCopy();
        var edits = new ArrayList<String>();
        int number = 1 + random.nextInt(2);
        for (int i = 0; i < number; i++) {
            var places = new ArrayList<Place>();
            collect(object, "", places);
            if (!places.isEmpty()) { // the first change may have removed the only field
                edits.add(edit(pick(places)));
            }
        }
        return new Mutated(object, edits);
    }

    private String edit(Place place) {
        return switch (random.nextInt(10)) {
            case 0 -> remove(place);
            case 1 -> add(place);
            case 2 -> rename(place);
            case 3 -> repeat(place);
            default -> replace(place);
        };
    }

    /** Collects all places below metadata, spec and status, except the name, without which there is no object. */
    private static void collect(JsonNode node, String path, List<Place> places) {
        if (node.isObject()) {
            node.properties().forEach(entry -> {
                String at = path + "/" + entry.getKey();
                if (!at.matches("/(apiVersion|kind|metadata|spec|metadata/name)")) {
                    places.add(new Place(node, entry.getKey(), entry.getValue(), at));
                }
                collect(entry.getValue(), at, places);
            });
        } else {
            for (int i = 0; i < node.size(); i++) {
                places.add(new Place(node, String.valueOf(i), node.get(i), path + "/" + i));
                collect(node.get(i), path + "/" + i, places);
            }
        }
    }

    private String remove(Place place) {
        if (place.parent() instanceof ObjectNode parent) {
            parent.remove(place.key());
        } else {
            ((ArrayNode) place.parent()).remove(Integer.parseInt(place.key()));
        }
        return "remove " + place.path();
    }

    /** Adds a field that other objects of the same kind have, with one of their values. */
    private String add(Place place) {
        if (!(place.value() instanceof ObjectNode object)) {
            return replace(place);
        }
        String name = place.key().matches("\\d+") ? listName(place.path()) : place.key();
        List<String> fields = siblings.getOrDefault(name, List.of());
        if (fields.isEmpty()) {
            return replace(place);
        }
        String field = pick(fields);
        JsonNode value =
                pick(values.getOrDefault(field, List.of(TextNode.valueOf("a")))).deepCopy();
        object.set(field, value);
        return "set " + place.path() + "/" + field + " to " + value;
    }

    private static String listName(String path) {
        String[] parts = path.split("/");
        return parts[parts.length - 2];
    }

    private String rename(Place place) {
        if (!(place.parent() instanceof ObjectNode parent)) {
            return repeat(place);
        }
        String key = random.nextInt(3) == 0 ? place.key() + "s" : pick(WORDS);
        parent.remove(place.key());
        parent.set(key, place.value());
        return "rename " + place.path() + " to " + key;
    }

    private String repeat(Place place) {
        if (!(place.value() instanceof ArrayNode list) || list.isEmpty()) {
            return replace(place);
        }
        int size = pick(List.of(2, 3, 5, 9, 17, 33, 65, 129));
        for (int i = list.size(); i < size; i++) {
            JsonNode copy = list.get(0).deepCopy();
            if (copy instanceof ObjectNode object && object.has("name") && size > 3) {
                object.put("name", "n" + i);
            }
            list.add(copy);
        }
        return "repeat " + place.path() + " up to " + size;
    }

    private String replace(Place place) {
        JsonNode value = value(place);
        if (place.parent() instanceof ObjectNode parent) {
            parent.set(place.key(), value);
        } else {
            ((ArrayNode) place.parent()).set(Integer.parseInt(place.key()), value);
        }
        return "set " + place.path() + " to " + value;
    }

    private JsonNode value(Place place) {
        JsonNode old = place.value();
        int dice = random.nextInt(20);
        if (dice == 0) {
            return JSON.nullNode();
        }
        if (dice < 7 && values.containsKey(place.key())) {
            return pick(values.getOrDefault(place.key(), List.of(old))).deepCopy();
        }
        boolean isAmount = place.path()
                .matches(
                        ".*/(capacity|allocatable|requests|limits|counters|hard|requestPolicy|perPod|capacityMultiplier)(/.*)?");
        if (isAmount && !old.isContainerNode()) {
            return amount();
        }
        if (old.isBoolean()) {
            return JSON.booleanNode(!old.asBoolean());
        }
        if (old.isNumber()) {
            return JSON.numberNode(pick(NUMBERS));
        }
        if (old.isTextual()) {
            return TextNode.valueOf(pick(WORDS));
        }
        return old.isArray() ? JSON.arrayNode() : JSON.objectNode();
    }

    private JsonNode amount() {
        Object amount = pick(AMOUNTS);
        return amount instanceof Integer number ? JSON.numberNode(number) : TextNode.valueOf(amount.toString());
    }

    private <T> T pick(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
