package dev.fakegpu.engine.problemfile.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** The parts of {@link BenchProblems}, as JSON. */
final class ProblemParts {

    static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    static final String DRIVER = "gpu.example.com";
    static final String HERE = "node-1";

    private ProblemParts() {}

    static ObjectNode object() {
        return JSON.objectNode();
    }

    static String attribute(String name) {
        return "device.attributes[\"" + DRIVER + "\"]." + name;
    }

    static ArrayNode classes() {
        ArrayNode classes = JSON.arrayNode();
        for (String type : List.of("gpu", "mig", "vgpu")) {
            classes.add(deviceClass(type, attribute("type") + " == \"" + type + "\""));
        }
        return classes.add(deviceClass("partition", attribute("type") + " in [\"mig\", \"vgpu\"]"));
    }

    static ObjectNode deviceClass(String name, String condition) {
        ObjectNode deviceClass = object();
        deviceClass.putObject("metadata").put("name", name);
        deviceClass
                .putObject("spec")
                .putArray("selectors")
                .addObject()
                .putObject("cel")
                .put("expression", "device.driver == \"" + DRIVER + "\" && " + condition);
        return deviceClass;
    }

    static ObjectNode slice(String name, String pool, int count, ObjectNode target) {
        ObjectNode slice = object();
        slice.putObject("metadata").put("name", name);
        ObjectNode spec = slice.putObject("spec").put("driver", DRIVER);
        spec.putObject("pool").put("name", pool).put("generation", 1).put("resourceSliceCount", count);
        spec.setAll(target);
        return slice;
    }

    static ObjectNode nodeName(String node) {
        return object().put("nodeName", node);
    }

    static ObjectNode withDevices(ObjectNode slice, List<ObjectNode> devices) {
        ((ObjectNode) slice.get("spec")).putArray("devices").addAll(devices);
        return slice;
    }

    static ObjectNode device(String name, String type) {
        ObjectNode device = object().put("name", name);
        ObjectNode attributes = device.putObject("attributes");
        attributes.putObject("type").put("string", type);
        attributes.putObject("productName").put("string", "NVIDIA H100 80GB HBM3");
        attributes.putObject("architecture").put("string", "Hopper");
        attributes.putObject("driverVersion").put("version", "570.86.15");
        attributes.putObject("cudaComputeCapability").put("version", "9.0.0");
        attributes.putObject("uuid").put("string", "GPU-" + name);
        device.putObject("capacity").putObject("memory").put("value", "80Gi");
        return device;
    }

    static ObjectNode attributes(ObjectNode device) {
        return (ObjectNode) device.get("attributes");
    }

    static List<ObjectNode> gpus(int count, String prefix) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    ObjectNode gpu = device(prefix + "-" + i, "gpu");
                    attributes(gpu).putObject("index").put("int", i);
                    return gpu;
                })
                .toList();
    }

    static List<ObjectNode> oneSlice(List<ObjectNode> devices) {
        return List.of(withDevices(slice("node-1-gpus", HERE, 1, nodeName(HERE)), devices));
    }

    static Supplier<List<ObjectNode>> gpus(int count) {
        return () -> oneSlice(gpus(count, "gpu"));
    }

    static ObjectNode claim(String name, ObjectNode... requests) {
        ObjectNode claim = object();
        claim.putObject("metadata").put("name", name).put("namespace", "default");
        claim.putObject("spec").putObject("devices").putArray("requests").addAll(List.of(requests));
        return claim;
    }

    static ObjectNode request(String name, String deviceClass, int count, String... selectors) {
        ObjectNode request = object().put("name", name);
        fill(request.putObject("exactly"), deviceClass, count, selectors);
        return request;
    }

    static void fill(ObjectNode request, String deviceClass, int count, String... selectors) {
        request.put("deviceClassName", deviceClass)
                .put("allocationMode", "ExactCount")
                .put("count", count);
        for (String selector : selectors) {
            request.withArray("selectors").addObject().putObject("cel").put("expression", selector);
        }
    }

    static ObjectNode[] repeated(int count, IntFunction<ObjectNode> each) {
        return IntStream.range(0, count).mapToObj(each).toArray(ObjectNode[]::new);
    }

    static String profile(String name) {
        return attribute("profile") + " == \"" + name + "\"";
    }
}
