package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.dra.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Rewrites a problem with random mixins, by the text of KEP-5234 and without the code that resolves them. Some entries of an object move to
 * mixins that it includes; others stay, and override different values in a mixin; and mixins have values that later mixins override.
 */
final class RandomMixins {

    private static final int MOST_MIXINS = 3;

    private final Random random;
    private int names;
    private int moved;

    RandomMixins(long seed) {
        random = new Random(seed);
    }

    /** The same problem with mixins, and with the feature enabled. */
    ObjectNode in(ObjectNode problem) {
        ObjectNode mixed = problem.deepCopy();
        mixed.withArray("features").add("ResourceSliceMixins");
        mixed.path("slices").forEach(slice -> {
            if (slice.path("spec") instanceof ObjectNode spec) {
                mix(spec);
            }
        });
        return mixed;
    }

    /** The number of entries that objects get from mixins. */
    int moved() {
        return moved;
    }

    private void mix(ObjectNode spec) {
        spec.path("sharedCounters").forEach(set -> mix(spec, "counterSet", set, List.of("counters")));
        spec.path("devices").forEach(device -> {
            mix(spec, "device", device, List.of("attributes", "capacity"));
            device.path("consumesCounters")
                    .forEach(entry -> mix(spec, "deviceCounterConsumption", entry, List.of("counters")));
        });
    }

    private void mix(ObjectNode spec, String kind, JsonNode object, List<String> fields) {
        if (!(object instanceof ObjectNode owner) || random.nextInt(4) == 0) {
            return;
        }
        var mixins = new ArrayList<ObjectNode>();
        for (int i = 1 + random.nextInt(MOST_MIXINS); i > 0; i--) {
            mixins.add(Dice.JSON.objectNode().put("name", "m" + names++));
        }
        fields.forEach(field -> mix(owner, field, mixins));
        ArrayNode all = spec.withObject("/mixins").withArray(kind);
        ArrayNode includes = owner.putArray("includes");
        mixins.stream().limit(Limits.INCLUDES).forEach(mixin -> {
            all.add(mixin);
            includes.add(mixin.get("name"));
        });
    }

    private void mix(ObjectNode owner, String field, List<ObjectNode> mixins) {
        if (!(owner.path(field) instanceof ObjectNode entries)) {
            return;
        }
        List<String> keys = new ArrayList<>();
        entries.fieldNames().forEachRemaining(keys::add);
        List<JsonNode> values = keys.stream().map(entries::get).toList();
        for (String key : keys) {
            // The place of the value that takes effect: in one of the mixins, or in the object itself after all of
            // them.
            int place = random.nextInt(mixins.size() + 1);
            for (int i = 0; i < place; i++) {
                if (random.nextInt(3) == 0) {
                    mixins.get(i).withObject("/" + field).set(key, values.get(random.nextInt(values.size())));
                }
            }
            if (place < mixins.size()) {
                mixins.get(place).withObject("/" + field).set(key, entries.remove(key));
                moved++;
            }
        }
    }
}
