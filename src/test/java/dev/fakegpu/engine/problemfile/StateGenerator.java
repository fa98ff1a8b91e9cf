package dev.fakegpu.engine.problemfile;

import static dev.fakegpu.engine.problemfile.Dice.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Generates earlier allocations: devices that are still published, and some that have changed or been removed since. */
final class StateGenerator {

    private final Dice dice;
    private final ArrayNode slices;
    private final ObjectNode state = object();
    private final double used;

    StateGenerator(Dice dice, ArrayNode slices) {
        this.dice = dice;
        this.slices = slices;
        used = dice.oneOf(0.0, 0.0, 0.1, 0.3);
    }

    ObjectNode state() {
        for (JsonNode slice : slices) {
            for (JsonNode device : slice.get("spec").path("devices")) {
                if (dice.chance(used)) {
                    add(slice.get("spec"), device);
                }
            }
        }
        if (dice.chance(0.03)) {
            state.withArray("devices").add(id("a.example.com", "pool-1", "vanished"));
        }
        return state;
    }

    private void add(JsonNode slice, JsonNode device) {
        ObjectNode id = id(
                slice.get("driver").asText(),
                slice.get("pool").get("name").asText(),
                device.get("name").asText());
        boolean asShare = device.path("allowMultipleAllocations").asBoolean() ? dice.chance(0.9) : dice.chance(0.05);
        if (asShare) {
            addShare(id, device);
        } else {
            state.withArray("devices").add(id);
        }
    }

    private void addShare(ObjectNode id, JsonNode device) {
        if (dice.chance(0.8)) {
            state.withArray("shared").add(id.deepCopy().put("shareID", "share-" + dice.between(0, 99)));
        }
        if (dice.chance(0.8)) {
            ObjectNode consumed = object();
            device.path("capacity")
                    .fieldNames()
                    .forEachRemaining(name -> consumed.put(name, dice.oneOf("0", "1", "2Gi", "1Gi", "3Gi")));
            state.withArray("capacity").add(id.deepCopy().set("consumed", consumed));
        }
    }

    private static ObjectNode id(String driver, String pool, String device) {
        return object().put("driver", driver).put("pool", pool).put("device", device);
    }
}
