package dev.fakegpu.engine.problemfile;

import static dev.fakegpu.engine.problemfile.Dice.object;
import static dev.fakegpu.engine.problemfile.Dice.strings;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Generates random problems that combine all features and are small enough for an exhaustive search. The same seed always gives the same
 * problem.
 */
public final class ProblemGenerator {

    static final List<String> FEATURES = List.of(
            "AdminAccess",
            "CompatibilityGroups",
            "ConsumableCapacity",
            "DerivedAttributes",
            "DeviceBindingAndStatus",
            "DeviceTaints",
            "FractionalCapacityRange",
            "ListTypeAttributes",
            "OptionalNodeOperations",
            "PartitionableDevices",
            "PrioritizedList");

    private static final double RARELY = 0.02;

    private final Dice dice;
    private final long seed;

    private ProblemGenerator(long seed) {
        this.seed = seed;
        dice = new Dice(seed);
    }

    public static ObjectNode generate(long seed) {
        return new ProblemGenerator(seed).problem();
    }

    private ObjectNode problem() {
        ObjectNode problem = object().put("name", "random-" + seed);
        List<String> features = features();
        problem.set("features", strings(features));
        problem.set("node", node());
        ArrayNode slices = new SliceGenerator(dice).slices();
        problem.set("classes", classes());
        problem.set("slices", slices);
        problem.set("claims", new ClaimGenerator(dice, features, slices).claims());
        problem.set("state", new StateGenerator(dice, slices).state());
        return problem;
    }

    private List<String> features() {
        double on = dice.oneOf(1.0, 1.0, 1.0, 0.9, 0.7);
        return dice.some(FEATURES, on);
    }

    private ObjectNode node() {
        ObjectNode node = object();
        ObjectNode metadata = node.putObject("metadata").put("name", "node-1");
        metadata.putObject("labels").put("zone", dice.oneOf("a", "a", "a", "b")).put("rack", "7");
        if (dice.chance(0.7)) {
            node.putObject("status").set("declaredFeatures", strings("DRAOptionalNodeOperations"));
        }
        return node;
    }

    private ArrayNode classes() {
        ArrayNode classes = Dice.JSON.arrayNode();
        classes.add(deviceClass("any"));
        classes.add(deviceClass("driver-a", "device.driver == \"a.example.com\""));
        classes.add(deviceClass("large", "device.attributes[device.driver].?model.orValue(\"\") == \"large\""));
        classes.add(deviceClass("shareable", "device.allowMultipleAllocations"));
        classes.add(deviceClass("missing-attribute", "device.attributes[\"a.example.com\"].model == \"large\""));
        classes.add(deviceClass("does-not-compile", "device.nothing == 1"));
        return classes;
    }

    private ObjectNode deviceClass(String name, String... expressions) {
        ObjectNode deviceClass = object();
        deviceClass.putObject("metadata").put("name", name);
        ObjectNode spec = deviceClass.putObject("spec");
        for (String expression : expressions) {
            spec.withArray("selectors").addObject().putObject("cel").put("expression", expression);
        }
        if (dice.chance(5 * RARELY)) {
            ObjectNode opaque =
                    spec.withArray("config").addObject().putObject("opaque").put("driver", "a.example.com");
            opaque.putObject("parameters").put("of", name);
        }
        return deviceClass;
    }
}
