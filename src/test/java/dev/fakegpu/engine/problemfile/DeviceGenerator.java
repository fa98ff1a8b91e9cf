package dev.fakegpu.engine.problemfile;

import static dev.fakegpu.engine.problemfile.Dice.object;
import static dev.fakegpu.engine.problemfile.Dice.strings;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Generates the devices of one pool, with the counter sets that they share. */
final class DeviceGenerator {

    private static final double RARELY = 0.02;
    private static final double SOMETIMES = 0.12;
    private static final List<String> GROUPS = List.of("mig", "vgpu", "whole");
    private static final List<List<String>> LINKS =
            List.of(List.of("l1"), List.of("l1", "l2"), List.of("l2", "l3"), List.of("l1", "l2", "l3"));

    private final Dice dice;
    private final boolean hasCounters;
    private final int counterSets;
    private final boolean hasGroups;
    private final boolean isShareable;
    private final boolean hasCapacity;

    DeviceGenerator(Dice dice, boolean hasCounters) {
        this.dice = dice;
        this.hasCounters = hasCounters;
        counterSets = dice.between(1, 2);
        hasGroups = dice.chance(0.4);
        isShareable = dice.chance(0.4);
        hasCapacity = dice.chance(0.6);
    }

    ArrayNode counterSets() {
        ArrayNode sets = Dice.JSON.arrayNode();
        for (int i = 0; i < counterSets; i++) {
            ObjectNode counters = sets.addObject()
                    .put("name", "set-" + (dice.chance(RARELY) ? 0 : i))
                    .putObject("counters");
            counters.putObject("memory").put("value", dice.oneOf("4", "4", "8", "2", "4k"));
            counters.putObject("slices").put("value", dice.oneOf("3", "3", "4", "7", "2500m"));
        }
        return sets;
    }

    ObjectNode device(String name) {
        ObjectNode device = object().put("name", name);
        device.set("attributes", attributes());
        if (hasCapacity) {
            addCapacity(device.putObject("capacity"));
        }
        if (hasCounters && dice.chance(0.85)) {
            addConsumption(device.putArray("consumesCounters"));
        }
        if (isShareable && dice.chance(0.75)) {
            device.put("allowMultipleAllocations", dice.chance(0.95));
        }
        addTaints(device);
        addBinding(device);
        return device;
    }

    private ObjectNode attributes() {
        ObjectNode attributes = object();
        if (dice.chance(0.95)) {
            attributes
                    .putObject(dice.chance(0.1) ? "a.example.com/model" : "model")
                    .put("string", dice.oneOf("large", "large", "small"));
        }
        if (dice.chance(0.8)) {
            addScalarOrList(attributes.putObject("shared.example.com/numa"));
        }
        if (dice.chance(0.7)) {
            attributes.putObject("rack").put("string", dice.oneOf("r1", "r2", "r3"));
        }
        if (dice.chance(0.3)) {
            attributes.putObject("driverVersion").put("version", dice.oneOf("1.2.3", "1.2.4", "2.0.0-rc.1+build"));
        }
        if (dice.chance(0.2)) {
            attributes.putObject("links").set("strings", strings(dice.oneOf(LINKS)));
        }
        if (dice.chance(RARELY / 8)) {
            attributes.putObject("unknown");
        }
        return attributes;
    }

    private void addScalarOrList(ObjectNode attribute) {
        switch (dice.between(0, 9)) {
            case 0 -> attribute.put("string", dice.oneOf("0", "1"));
            case 1 -> attribute.put("bool", dice.chance(0.5));
            case 2, 3 -> {
                ArrayNode ints = attribute.putArray("ints").add(dice.between(0, 2));
                if (dice.chance(0.6)) {
                    ints.add(dice.between(0, 2));
                }
            }
            default -> attribute.put("int", dice.between(0, 2));
        }
    }

    private void addCapacity(ObjectNode capacity) {
        addPolicy(capacity.putObject("memory").put("value", dice.oneOf("4Gi", "8Gi", "8Gi", "10Gi")), "Gi");
        if (dice.chance(0.3)) {
            addPolicy(capacity.putObject("cores").put("value", dice.oneOf("1", "4", "2500m", "8")), "");
        }
    }

    private void addPolicy(ObjectNode capacity, String unit) {
        if (dice.chance(0.4)) {
            return;
        }
        ObjectNode policy = capacity.putObject("requestPolicy");
        String smallest = dice.oneOf("1", "2", "0", "0.5") + unit;
        if (dice.chance(0.8)) {
            policy.put("default", smallest);
        }
        if (dice.chance(0.35)) {
            policy.set("validValues", strings(smallest, "3" + unit, "4" + unit));
        } else if (dice.chance(0.7)) {
            addRange(policy.putObject("validRange").put("min", smallest), unit);
        }
    }

    private void addRange(ObjectNode range, String unit) {
        if (dice.chance(0.5)) {
            range.put("max", dice.oneOf("3", "4", "6", "3.5") + unit);
        }
        if (dice.chance(0.6)) {
            range.put("step", dice.oneOf("1", "2", "0.5", "0.3") + unit);
        }
    }

    private void addConsumption(ArrayNode consumption) {
        int entries = dice.chance(0.25) ? 2 : 1;
        for (int i = 0; i < entries; i++) {
            int set = dice.chance(RARELY / 4) ? 7 : dice.between(0, counterSets - 1);
            ObjectNode entry = consumption.addObject().put("counterSet", "set-" + set);
            ObjectNode counters = entry.putObject("counters");
            counters.putObject(dice.chance(RARELY / 4) ? "unknown" : "memory")
                    .put("value", dice.oneOf("0", "1", "1", "1", "2", "2", "4", "500m"));
            if (dice.chance(0.5)) {
                counters.putObject("slices").put("value", dice.oneOf("1", "1", "2"));
            }
            if (hasGroups && dice.chance(0.75)) {
                entry.set(
                        "compatibilityGroups",
                        strings(dice.some(GROUPS, 0.45).stream().limit(2).toList()));
            }
        }
    }

    private void addTaints(ObjectNode device) {
        int taints = dice.chance(SOMETIMES) ? dice.oneOf(1, 1, 2) : 0;
        for (int i = 0; i < taints; i++) {
            ObjectNode taint = device.withArray("taints").addObject().put("key", dice.oneOf("broken", "reserved"));
            if (dice.chance(0.5)) {
                taint.put("value", dice.oneOf("yes", "no"));
            }
            taint.put("effect", dice.oneOf("NoSchedule", "NoSchedule", "NoExecute", "None", "Later"));
        }
    }

    private void addBinding(ObjectNode device) {
        if (dice.chance(SOMETIMES / 2)) {
            device.set("bindingConditions", strings("ready.example.com"));
            device.set("bindingFailureConditions", strings("failed.example.com"));
        }
        if (dice.chance(SOMETIMES / 2)) {
            device.put("bindsToNode", dice.chance(0.8));
        }
    }
}
