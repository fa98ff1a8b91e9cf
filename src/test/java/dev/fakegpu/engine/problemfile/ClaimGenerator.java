package dev.fakegpu.engine.problemfile;

import static dev.fakegpu.engine.problemfile.Dice.object;
import static dev.fakegpu.engine.problemfile.Dice.strings;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Generates the ResourceClaims of one pod. */
final class ClaimGenerator {

    private static final double RARELY = 0.02;
    private static final double SOMETIMES = 0.12;
    private static final List<String> ATTRIBUTES = List.of(
            "shared.example.com/numa",
            "shared.example.com/numa",
            "shared.example.com/numa",
            "a.example.com/rack",
            "a.example.com/rack",
            "a.example.com/model",
            "a.example.com/model",
            "a.example.com/links",
            "a.example.com/driverVersion",
            "derived.example.com/side");

    private final Dice dice;
    private final boolean hasCapacity;
    private final Set<String> features;
    private final int claims;

    ClaimGenerator(Dice dice, List<String> features, ArrayNode slices) {
        this.dice = dice;
        this.features = Set.copyOf(features);
        hasCapacity = slices.findValue("capacity") != null;
        claims = dice.oneOf(1, 1, 1, 1, 1, 1, 2, 2, 3);
    }

    /** Whether to generate something that is an error if its feature is off; in that case it must be rare. */
    private boolean chance(double probability, String feature) {
        return dice.chance(features.contains(feature) ? probability : probability * RARELY);
    }

    ArrayNode claims() {
        ArrayNode array = Dice.JSON.arrayNode();
        for (int i = 0; i < (dice.chance(RARELY / 4) ? 0 : claims); i++) {
            array.add(claim("claim-" + i));
        }
        return array;
    }

    private ObjectNode claim(String name) {
        ObjectNode claim = object();
        claim.putObject("metadata").put("name", name).put("namespace", "default");
        ObjectNode devices = claim.putObject("spec").putObject("devices");
        var names = new ArrayList<String>();
        int requests = dice.chance(RARELY / 4) ? 0 : dice.oneOf(1, 1, 2, 2, 3);
        for (int i = 0; i < requests; i++) {
            devices.withArray("requests").add(request("r" + i, names));
        }
        while (dice.chance(0.16)) {
            devices.withArray("constraints").add(constraint(names));
        }
        if (dice.chance(SOMETIMES)) {
            devices.withArray("config").add(config(names));
        }
        return claim;
    }

    private ObjectNode request(String name, List<String> names) {
        ObjectNode request = object().put("name", name);
        names.add(name);
        if (dice.chance(RARELY / 20)) {
            return request;
        }
        if (!chance(0.25, "PrioritizedList")) {
            ObjectNode exactly = request.putObject("exactly");
            fill(exactly);
            if (chance(SOMETIMES, "AdminAccess")) {
                exactly.put("adminAccess", dice.chance(0.9));
            }
            return request;
        }
        int alternatives = claims == 1 && dice.chance(SOMETIMES) ? 8 : dice.between(1, 3);
        for (int i = 0; i < alternatives; i++) {
            ObjectNode alternative =
                    request.withArray("firstAvailable").addObject().put("name", "s" + i);
            names.add(name + "/s" + i);
            fill(alternative);
        }
        return request;
    }

    private void fill(ObjectNode request) {
        request.put("deviceClassName", deviceClass());
        while (dice.chance(0.15)) {
            request.withArray("selectors").add(selector());
        }
        if (dice.chance(SOMETIMES)) {
            request.put("allocationMode", dice.chance(RARELY / 2) ? "Most" : "All");
        } else {
            request.put("allocationMode", "ExactCount").put("count", count());
        }
        while (dice.chance(0.15)) {
            request.withArray("tolerations").add(toleration());
        }
        if (chance(hasCapacity ? 0.4 : RARELY, "ConsumableCapacity")) {
            addCapacity(request.putObject("capacity").putObject("requests"));
        }
        if (chance(SOMETIMES, "DerivedAttributes")) {
            request.withArray("derivedAttributes").add(derivedAttribute());
        }
    }

    private String deviceClass() {
        if (dice.chance(RARELY / 2)) {
            return dice.oneOf("missing-attribute", "does-not-compile", "unknown", "");
        }
        return dice.oneOf("any", "any", "any", "any", "any", "any", "driver-a", "large", "shareable");
    }

    private long count() {
        if (dice.chance(RARELY / 2)) {
            return dice.oneOf(0, 0, 20, 31, 33);
        }
        return dice.oneOf(1, 1, 1, 1, 1, 2, 2, 3);
    }

    private ObjectNode selector() {
        if (dice.chance(RARELY / 4)) {
            return object();
        }
        ObjectNode selector = object();
        selector.putObject("cel").put("expression", expression());
        return selector;
    }

    private String expression() {
        if (dice.chance(2 * RARELY)) {
            return dice.oneOf(
                    "device.attributes[\"a.example.com\"].rack == \"r1\"",
                    "device.capacity[\"b.example.com\"].memory.isGreaterThan(quantity(\"1Gi\"))",
                    "device.attributes[\"a.example.com\"].model",
                    "device.driver ==");
        }
        return dice.oneOf(
                "device.attributes[device.driver].?rack.orValue(\"r1\") != \"r1\"",
                "\"numa\" in device.attributes[\"shared.example.com\"]",
                "device.attributes[device.driver].?model.orValue(\"large\") == \"large\"",
                "device.driver.startsWith(\"a\") || device.allowMultipleAllocations",
                "!(\"cores\" in device.capacity[device.driver])",
                "true");
    }

    private ObjectNode toleration() {
        ObjectNode toleration = object();
        if (dice.chance(0.7)) {
            toleration.put("key", dice.oneOf("broken", "reserved"));
        }
        if (dice.chance(0.8)) {
            toleration.put("operator", dice.oneOf("Exists", "Exists", "Equal", "Like"));
        }
        if (dice.chance(0.3)) {
            toleration.put("value", dice.oneOf("yes", "no"));
        }
        if (dice.chance(0.3)) {
            toleration.put("effect", dice.oneOf("NoSchedule", "NoExecute"));
        }
        if (dice.chance(0.1)) {
            toleration.put("tolerationSeconds", 30);
        }
        return toleration;
    }

    private void addCapacity(ObjectNode requests) {
        if (dice.chance(0.8)) {
            requests.put("memory", dice.oneOf("1Gi", "2Gi", "1500Mi", "3Gi", "4Gi", "5Gi", "100"));
        }
        if (dice.chance(0.15)) {
            requests.put("cores", dice.oneOf("1", "2", "500m", "1.2", "3"));
        }
        if (dice.chance(RARELY)) {
            requests.put("unknown", "1");
        }
        if (dice.chance(RARELY)) {
            requests.put("memory", dice.oneOf("-1", "0", "10Pi", "3000001u", "9223372036854775807", "20E"));
        }
    }

    private ObjectNode derivedAttribute() {
        String expression = dice.chance(2 * RARELY)
                ? dice.oneOf("device.attributes[\"a.example.com\"].missing", "device.capacity")
                : dice.oneOf(
                        "device.attributes[device.driver].?rack.orValue(\"none\")",
                        "device.attributes[\"shared.example.com\"].?numa.orValue(0)",
                        "device.driver",
                        "[1, 2]");
        return object().put("name", dice.chance(0.8) ? "derived.example.com/side" : "a.example.com/rack")
                .put("expression", expression);
    }

    private ObjectNode constraint(List<String> names) {
        ObjectNode constraint = object();
        if (dice.chance(0.4)) {
            constraint.set("requests", strings(dice.some(names, 0.5)));
        }
        return dice.chance(RARELY / 4)
                ? constraint
                : constraint.put(dice.chance(0.65) ? "matchAttribute" : "distinctAttribute", dice.oneOf(ATTRIBUTES));
    }

    private ObjectNode config(List<String> names) {
        ObjectNode config = object();
        if (dice.chance(0.6)) {
            config.set("requests", strings(dice.some(names, 0.6)));
        }
        config.putObject("opaque")
                .put("driver", "a.example.com")
                .putObject("parameters")
                .put("x", 1);
        return config;
    }
}
