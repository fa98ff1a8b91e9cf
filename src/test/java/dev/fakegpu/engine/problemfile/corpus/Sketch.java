package dev.fakegpu.engine.problemfile.corpus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A problem in few words. What is not said is as in most problems: every feature on, one node, driver {@code gpu.example.com}, pool
 * {@code node-1} on that node, a class for each driver's devices. JSON is given without quotes around names and with single quotes
 * around texts.
 */
final class Sketch {

    static final String DRIVER = "gpu.example.com";

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
            .build();

    private static final List<String> FEATURES = List.of(
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

    private final String name;
    private final String note;
    private final List<String> off = new ArrayList<>();
    private final Map<String, ObjectNode> classes = new LinkedHashMap<>();
    private final List<ObjectNode> slices = new ArrayList<>();
    private final List<ObjectNode> claims = new ArrayList<>();
    private final ObjectNode state = object();
    private ObjectNode node = json("{metadata:{name:'node-1',labels:{zone:'a',rack:'7'}}}");

    private Sketch(String name, String note) {
        this.name = name;
        this.note = note;
        deviceClass("gpu", "{selectors:[{cel:{expression:'device.driver == \"gpu.example.com\"'}}]}");
        deviceClass("any", "{}");
    }

    /** @param note the rule that it shows */
    static Sketch of(String name, String note) {
        return new Sketch(name, note);
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    Sketch without(String... features) {
        off.addAll(List.of(features));
        return this;
    }

    Sketch node(String json) {
        node = json(json);
        return this;
    }

    Sketch deviceClass(String className, String spec) {
        ObjectNode deviceClass = json("{metadata:{name:'" + className + "'}}");
        deviceClass.set("spec", json(spec));
        classes.put(className, deviceClass);
        return this;
    }

    /** A pool of one slice on the node. */
    Sketch devices(String... devices) {
        return slice("slice", "{nodeName:'node-1'}", devices);
    }

    /** Another slice of the pool; the number of slices is corrected for all of them. */
    Sketch slice(String sliceName, String spec, String... devices) {
        return sliceOf(DRIVER, "node-1", sliceName, spec, devices);
    }

    /** A slice whose {@code spec} may say everything, also a count or generation that is not right. */
    Sketch sliceOf(String driver, String pool, String sliceName, String spec, String... devices) {
        ObjectNode slice = json("{metadata:{name:'" + sliceName + "'},spec:{driver:'" + driver + "',pool:{name:'" + pool
                + "',generation:1}}}");
        ObjectNode sliceSpec = (ObjectNode) slice.get("spec");
        ObjectNode given = json(spec);
        if (given.remove("pool") instanceof ObjectNode poolFields) {
            ((ObjectNode) sliceSpec.get("pool")).setAll(poolFields);
        }
        sliceSpec.setAll(given);
        Arrays.stream(devices).map(Sketch::json).forEach(sliceSpec.withArray("devices")::add);
        if (devices.length == 0) {
            sliceSpec.remove("devices");
        }
        slices.add(slice);
        return this;
    }

    /** The counter sets of the pool, in a slice of their own. */
    Sketch counters(String sets) {
        return slice("counters", "{nodeName:'node-1',sharedCounters:" + sets + "}");
    }

    /** A claim with requests, and nothing else. */
    Sketch claim(String... requests) {
        return claimWith("{}", requests);
    }

    /** A claim with requests, and with what else its {@code devices} have. */
    Sketch claimWith(String devices, String... requests) {
        ObjectNode claim = json("{metadata:{name:'claim-" + claims.size() + "',namespace:'default'},spec:{}}");
        ObjectNode content = object();
        Arrays.stream(requests).map(Sketch::json).forEach(content.withArray("requests")::add);
        if (requests.length == 0) {
            content.remove("requests");
        }
        content.setAll(json(devices));
        ((ObjectNode) claim.get("spec")).set("devices", content);
        claims.add(claim);
        return this;
    }

    Sketch held(String... devices) {
        for (String device : devices) {
            state.withArray("devices").add(id(device));
        }
        return this;
    }

    /** A share of a device, with what it takes of the device's capacity; null if that is not known. */
    Sketch shared(String device, String shareId, String consumed) {
        state.withArray("shared").add(id(device).put("shareID", shareId));
        return consumed == null ? this : consumed(device, consumed);
    }

    Sketch consumed(String device, String consumed) {
        ObjectNode capacity = id(device);
        capacity.set("consumed", json(consumed));
        state.withArray("capacity").add(capacity);
        return this;
    }

    private static ObjectNode id(String device) {
        return object().put("driver", DRIVER).put("pool", "node-1").put("device", device);
    }

    ObjectNode problem() {
        ObjectNode problem = object().put("format", "dra-allocator-case/v1");
        problem.put("name", name).put("note", note);
        ArrayNode features = problem.putArray("features");
        FEATURES.stream().filter(feature -> !off.contains(feature)).forEach(features::add);
        problem.set("node", node);
        problem.putArray("classes").addAll(classes.values());
        slices.forEach(this::count);
        problem.putArray("slices").addAll(slices);
        problem.putArray("claims").addAll(claims);
        problem.set("state", state);
        return problem;
    }

    private void count(ObjectNode slice) {
        ObjectNode pool = (ObjectNode) slice.get("spec").get("pool");
        if (!pool.has("resourceSliceCount")) {
            pool.put(
                    "resourceSliceCount",
                    slices.stream()
                            .filter(other -> isSamePool(slice.get("spec"), other.get("spec")))
                            .count());
        }
    }

    private static boolean isSamePool(JsonNode a, JsonNode b) {
        return a.get("driver").equals(b.get("driver"))
                && a.get("pool").get("name").equals(b.get("pool").get("name"))
                && a.get("pool").get("generation").equals(b.get("pool").get("generation"));
    }

    // --- parts ---

    static String device(String name) {
        return "{name:'" + name + "'}";
    }

    /** @param fields those of the device, without braces */
    static String device(String name, String fields) {
        return "{name:'" + name + "'," + fields + "}";
    }

    static String request(String name) {
        return request(name, "count:1");
    }

    /** An exact request for devices of any driver; its fields without braces. */
    static String request(String name, String fields) {
        return "{name:'" + name + "',exactly:{" + ask(fields) + "}}";
    }

    static String all(String name, String... fields) {
        return request(name, String.join(",", concat("allocationMode:'All'", fields)));
    }

    static String firstAvailable(String name, String... alternatives) {
        var array = new ArrayList<String>();
        for (int i = 0; i < alternatives.length; i++) {
            array.add("{name:'s" + i + "'," + ask(alternatives[i]) + "}");
        }
        return "{name:'" + name + "',firstAvailable:[" + String.join(",", array) + "]}";
    }

    /** With class, mode and a count of one where they are not given. */
    private static String ask(String fields) {
        var all = new ArrayList<String>();
        if (!fields.contains("deviceClassName")) {
            all.add("deviceClassName:'any'");
        }
        if (!fields.contains("allocationMode")) {
            all.add("allocationMode:'ExactCount'");
            if (!fields.contains("count:")) {
                all.add("count:1");
            }
        }
        all.add(fields);
        return String.join(",", all);
    }

    static String selector(String expression) {
        return "selectors:[{cel:{expression:'" + expression.replace("'", "\\'") + "'}}]";
    }

    static String consumes(String set, String amount, String... groups) {
        return "{counterSet:'" + set + "',counters:{memory:{value:'" + amount + "'}}"
                + (groups.length == 0 ? "" : ",compatibilityGroups:['" + String.join("','", groups) + "']") + "}";
    }

    static String consuming(String... entries) {
        return "consumesCounters:[" + String.join(",", entries) + "]";
    }

    private static String[] concat(String first, String... rest) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(rest));
        return all.toArray(String[]::new);
    }
}
