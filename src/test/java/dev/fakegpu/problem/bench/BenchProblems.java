package dev.fakegpu.problem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Problems of the size of real machines, among them those for which an exhaustive search takes exponential time. */
final class BenchProblems {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String DRIVER = "gpu.example.com";
    private static final String HERE = "node-1";

    private final Map<String, Supplier<ObjectNode>> problems = new LinkedHashMap<>();

    /** By name, each made when it is asked for: the large ones take 100 MB together. */
    static Map<String, Supplier<ObjectNode>> all() {
        var bench = new BenchProblems();
        bench.wholeGpus();
        bench.mig();
        bench.groups();
        bench.alternatives();
        bench.constraints();
        bench.identicalDevices();
        bench.manyNodes();
        bench.shares();
        return bench.problems;
    }

    private void add(String name, Supplier<List<ObjectNode>> slices, ObjectNode... claims) {
        addOn(HERE, name, slices, object(), claims);
    }

    private void addOn(
            String node, String name, Supplier<List<ObjectNode>> slices, ObjectNode state, ObjectNode... claims) {
        problems.put(name, () -> {
            ObjectNode problem = object().put("name", name);
            ObjectNode metadata =
                    problem.putObject("node").putObject("metadata").put("name", node);
            metadata.putObject("labels").put("kubernetes.io/hostname", node);
            problem.set("classes", classes());
            problem.putArray("slices").addAll(slices.get());
            problem.putArray("claims").addAll(List.of(claims));
            problem.set("state", state);
            return problem;
        });
    }

    // --- parts ---

    private static ObjectNode object() {
        return JSON.objectNode();
    }

    private static String attribute(String name) {
        return "device.attributes[\"" + DRIVER + "\"]." + name;
    }

    private static ArrayNode classes() {
        ArrayNode classes = JSON.arrayNode();
        for (String type : List.of("gpu", "mig", "vgpu")) {
            classes.add(deviceClass(type, attribute("type") + " == \"" + type + "\""));
        }
        return classes.add(deviceClass("partition", attribute("type") + " in [\"mig\", \"vgpu\"]"));
    }

    private static ObjectNode deviceClass(String name, String condition) {
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

    private static ObjectNode slice(String name, String pool, int count, ObjectNode target) {
        ObjectNode slice = object();
        slice.putObject("metadata").put("name", name);
        ObjectNode spec = slice.putObject("spec").put("driver", DRIVER);
        spec.putObject("pool").put("name", pool).put("generation", 1).put("resourceSliceCount", count);
        spec.setAll(target);
        return slice;
    }

    private static ObjectNode nodeName(String node) {
        return object().put("nodeName", node);
    }

    private static ObjectNode withDevices(ObjectNode slice, List<ObjectNode> devices) {
        ((ObjectNode) slice.get("spec")).putArray("devices").addAll(devices);
        return slice;
    }

    private static ObjectNode device(String name, String type) {
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

    private static ObjectNode attributes(ObjectNode device) {
        return (ObjectNode) device.get("attributes");
    }

    private static List<ObjectNode> gpus(int count, String prefix) {
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    ObjectNode gpu = device(prefix + "-" + i, "gpu");
                    attributes(gpu).putObject("index").put("int", i);
                    return gpu;
                })
                .toList();
    }

    private static List<ObjectNode> oneSlice(List<ObjectNode> devices) {
        return List.of(withDevices(slice("node-1-gpus", HERE, 1, nodeName(HERE)), devices));
    }

    private static Supplier<List<ObjectNode>> gpus(int count) {
        return () -> oneSlice(gpus(count, "gpu"));
    }

    private static ObjectNode claim(String name, ObjectNode... requests) {
        ObjectNode claim = object();
        claim.putObject("metadata").put("name", name).put("namespace", "default");
        claim.putObject("spec").putObject("devices").putArray("requests").addAll(List.of(requests));
        return claim;
    }

    private static ObjectNode request(String name, String deviceClass, int count, String... selectors) {
        ObjectNode request = object().put("name", name);
        fill(request.putObject("exactly"), deviceClass, count, selectors);
        return request;
    }

    private static void fill(ObjectNode request, String deviceClass, int count, String... selectors) {
        request.put("deviceClassName", deviceClass)
                .put("allocationMode", "ExactCount")
                .put("count", count);
        for (String selector : selectors) {
            request.withArray("selectors").addObject().putObject("cel").put("expression", selector);
        }
    }

    private static ObjectNode[] repeated(int count, IntFunction<ObjectNode> each) {
        return IntStream.range(0, count).mapToObj(each).toArray(ObjectNode[]::new);
    }

    private static String profile(String name) {
        return attribute("profile") + " == \"" + name + "\"";
    }

    // --- shapes ---

    private void wholeGpus() {
        for (int count : new int[] {1, 8, 9}) {
            add("a-whole-" + count + "of8", gpus(8), claim("c0", request("r0", "gpu", count)));
        }
    }

    /** A MIG profile of an H100, or the kind of vGPU that is as large. */
    private record Part(String type, String profile, int compute, int memory, List<Integer> starts, int media) {}

    private static final List<Integer> SEVEN = List.of(0, 1, 2, 3, 4, 5, 6);
    private static final List<Part> MIG = List.of(
            new Part("mig", "1g.10gb", 1, 1, SEVEN, 0),
            new Part("mig", "1g.10gb+me", 1, 1, SEVEN, 1),
            new Part("mig", "1g.20gb", 1, 2, List.of(0, 2, 4, 6), 0),
            new Part("mig", "2g.20gb", 2, 2, List.of(0, 2, 4), 0),
            new Part("mig", "3g.40gb", 3, 4, List.of(0, 4), 0),
            new Part("mig", "4g.40gb", 4, 4, List.of(0), 0),
            new Part("mig", "7g.80gb", 7, 8, List.of(0), 0));
    private static final List<Part> VGPU = List.of(
            new Part("vgpu", "10c", 0, 1, List.of(0, 1, 2, 3, 4, 5, 6, 7), 0),
            new Part("vgpu", "20c", 0, 2, List.of(0, 2, 4, 6), 0),
            new Part("vgpu", "40c", 0, 4, List.of(0, 4), 0));

    /** A slice with the counter sets, and a slice for each GPU with its partitions. */
    private static List<ObjectNode> partitions(int gpus, boolean withGroups) {
        ObjectNode counters = slice("node-1-00-counters", HERE, gpus + 1, nodeName(HERE));
        IntStream.range(0, gpus)
                .forEach(gpu -> addCounterSet(((ObjectNode) counters.get("spec")).withArray("sharedCounters"), gpu));
        var slices = new java.util.ArrayList<>(List.of(counters));
        for (int gpu = 0; gpu < gpus; gpu++) {
            var devices = new java.util.ArrayList<ObjectNode>();
            devices.add(partition(gpu, new Part("gpu", "", 7, 8, List.of(0), 1), 0, false));
            addPartitions(devices, gpu, MIG, withGroups);
            if (withGroups) {
                addPartitions(devices, gpu, VGPU, true);
            }
            String name = "node-1-" + String.format("%02d", gpu + 1) + "-gpu";
            slices.add(withDevices(slice(name, HERE, gpus + 1, nodeName(HERE)), devices));
        }
        return slices;
    }

    private static void addCounterSet(ArrayNode sets, int gpu) {
        ObjectNode counters =
                sets.addObject().put("name", "gpu-" + gpu + "-counters").putObject("counters");
        for (int i = 0; i < 8; i++) {
            counters.putObject("memory-slice-" + i).put("value", "1");
        }
        counters.putObject("compute-slices").put("value", "7");
        counters.putObject("media-extensions").put("value", "1");
    }

    private static void addPartitions(List<ObjectNode> devices, int gpu, List<Part> parts, boolean withGroups) {
        parts.forEach(part -> part.starts().forEach(start -> devices.add(partition(gpu, part, start, withGroups))));
    }

    private static ObjectNode partition(int gpu, Part part, int start, boolean withGroup) {
        String suffix = part.type().equals("gpu")
                ? ""
                : "-" + part.type() + "-" + part.profile().replaceAll("[.+]", "-") + "-" + start;
        ObjectNode device = device("gpu-" + gpu + suffix, part.type());
        attributes(device).putObject("profile").put("string", part.profile());
        attributes(device).putObject("start").put("int", start);
        ObjectNode consumption =
                device.putArray("consumesCounters").addObject().put("counterSet", "gpu-" + gpu + "-counters");
        ObjectNode counters = consumption.putObject("counters");
        for (int i = start; i < Math.min(8, start + part.memory()); i++) {
            counters.putObject("memory-slice-" + i).put("value", "1");
        }
        addCounter(counters, "compute-slices", part.compute());
        addCounter(counters, "media-extensions", part.media());
        if (withGroup) {
            consumption.putArray("compatibilityGroups").add(part.type());
        }
        return device;
    }

    private static void addCounter(ObjectNode counters, String name, int amount) {
        if (amount > 0) {
            counters.putObject(name).put("value", Integer.toString(amount));
        }
    }

    private void mig() {
        String small = profile("1g.10gb");
        String three = profile("3g.40gb");
        String four = profile("4g.40gb");
        add("b-mig-7x1g", () -> partitions(8, false), claim("c0", request("r0", "mig", 7, small)));
        add("b-mig-20x1g", () -> partitions(8, false), claim("c0", request("r0", "mig", 20, small)));
        for (int first : new int[] {28, 29}) {
            add(
                    first == 28 ? "b-mig-56x1g" : "b-mig-57x1g-unsat",
                    () -> partitions(8, false),
                    claim("c0", request("r0", "mig", first, small)),
                    claim("c1", request("r0", "mig", 28, small)));
        }
        for (int k : new int[] {1, 2, 3, 4}) {
            int count = 7 * k + 1;
            add(
                    "b-mig-" + count + "x1g-" + k + "gpu-unsat",
                    () -> partitions(k, false),
                    claim("c0", request("r0", "mig", count, small)));
        }
        for (int k : new int[] {1, 2, 3, 4, 5, 8}) {
            Supplier<List<ObjectNode>> slices = () -> partitions(k, false);
            ObjectNode threes = request("r0", "mig", k, three);
            ObjectNode fours = request("r1", "mig", k, four);
            add("b-mig-" + k + "x4g-" + k + "x3g-" + k + "gpu", slices, claim("c0", fours, threes));
            add("b-mig-" + k + "x3g-" + k + "x4g-" + k + "gpu", slices, claim("c0", threes, fours));
            add(
                    "b-mig-" + k + "x4g-" + (k + 1) + "x3g-" + k + "gpu-unsat",
                    slices,
                    claim("c0", fours, request("r0", "mig", k + 1, three)));
            add(
                    "b-mig-" + k + "x3g-" + k + "x4g-1x1g-" + k + "gpu-unsat",
                    slices,
                    claim("c0", threes, fours, request("r2", "mig", 1, small)));
        }
    }

    private void groups() {
        String small = profile("1g.10gb");
        String slot = profile("10c");
        add(
                "c-groups-7x1g-8xvgpu",
                () -> partitions(8, true),
                claim("c0", request("r0", "mig", 7, small), request("r1", "vgpu", 8, slot)));
        add(
                "c-groups-mixed-5req",
                () -> partitions(8, true),
                claim("c0", request("r0", "mig", 14, small), request("r1", "vgpu", 16, slot)),
                claim(
                        "c1",
                        request("r0", "mig", 2, profile("3g.40gb")),
                        request("r1", "vgpu", 2, profile("40c")),
                        request("r2", "gpu", 1)));
        for (int k : new int[] {1, 2, 3, 4}) {
            int slots = 8 * k - 1;
            add(
                    "c-groups-any-then-" + slots + "xvgpu-" + k + "gpu",
                    () -> partitions(k, true),
                    claim("c0", request("r0", "partition", 1)),
                    claim("c1", request("r0", "vgpu", slots, slot)));
        }
        for (int k : new int[] {2, 3, 4, 8}) {
            int slots = Math.min(8 * (k - 1) + 1, 25);
            int taken = k - (slots - 1) / 8;
            add(
                    "c-groups-" + taken + "x4g-" + slots + "xvgpu-" + k + "gpu-unsat",
                    () -> partitions(k, true),
                    claim("c0", request("r0", "mig", taken, profile("4g.40gb"))),
                    claim("c1", request("r0", "vgpu", slots, slot)));
        }
    }

    private static ObjectNode firstAvailable(String name, IntFunction<Integer> count, IntFunction<String> selector) {
        ObjectNode request = object().put("name", name);
        for (int i = 0; i < 8; i++) {
            String expression = selector.apply(i);
            fill(
                    request.withArray("firstAvailable").addObject().put("name", "s" + i),
                    "gpu",
                    count.apply(i),
                    expression.isEmpty() ? new String[0] : new String[] {expression});
        }
        return request;
    }

    private void alternatives() {
        add(
                "d-first-available-last-of-8",
                gpus(8),
                claim(
                        "c0",
                        repeated(
                                4,
                                r -> firstAvailable(
                                        "r" + r, i -> 1, i -> i == 7 ? "" : attribute("index") + " == " + (100 + i)))));
        add(
                "d-first-available-too-large-7",
                gpus(7),
                claim("c0", repeated(4, r -> firstAvailable("r" + r, i -> i == 7 ? 1 : 8, i -> ""))));
        for (int count : new int[] {3, 4, 6, 8}) {
            add(
                    "d-first-available-shrinking-" + count + "gpu" + (count == 3 ? "-unsat" : ""),
                    gpus(count),
                    claim("c0", repeated(4, r -> firstAvailable("r" + r, i -> 8 - i, i -> ""))));
        }
    }

    private static List<ObjectNode> racks(int racksOfSeven, int lastRack) {
        List<ObjectNode> devices = gpus(7 * racksOfSeven + lastRack, "gpu");
        for (int i = 0; i < devices.size(); i++) {
            attributes(devices.get(i)).putObject("rack").put("string", "rack-" + Math.min(i / 7, racksOfSeven));
        }
        return oneSlice(devices);
    }

    private static ObjectNode sameRack(ObjectNode claim) {
        ((ObjectNode) claim.at("/spec/devices"))
                .putArray("constraints")
                .addObject()
                .put("matchAttribute", DRIVER + "/rack");
        return claim;
    }

    private void constraints() {
        for (int k : new int[] {1, 2, 4, 8}) {
            Supplier<List<ObjectNode>> slices = () -> racks(k, 8);
            add("d-match-8of-" + k + "x7+8-one-request", slices, sameRack(claim("c0", request("r0", "gpu", 8))));
            add(
                    "d-match-8of-" + k + "x7+8-eight-requests",
                    slices,
                    sameRack(claim("c0", repeated(8, r -> request("r" + r, "gpu", 1)))));
        }
        add("d-match-8of-9x7-unsat-one-request", () -> racks(9, 0), sameRack(claim("c0", request("r0", "gpu", 8))));
    }

    private void identicalDevices() {
        for (int count : new int[] {8, 12, 16, 18, 20, 22, 24, 31}) {
            add(
                    "d-identical-" + (count + 1) + "of" + count + "-unsat",
                    gpus(count),
                    claim("c0", request("r0", "gpu", count + 1)));
        }
        for (int count : new int[] {6, 7, 8, 9, 10}) {
            add(
                    "d-identical-" + (count + 1) + "requests-" + count + "gpu-unsat",
                    gpus(count),
                    claim("c0", repeated(count + 1, r -> request("r" + r, "gpu", 1))));
        }
    }

    private static String node(int i) {
        return String.format("node-%05d", i);
    }

    private static Supplier<List<ObjectNode>> perNode(
            int nodes, IntFunction<String> pool, int count, IntFunction<ObjectNode> target) {
        return () -> IntStream.range(0, nodes)
                .mapToObj(i -> withDevices(
                        slice(node(i) + "-gpus", pool.apply(i), count, target.apply(i)), gpus(8, node(i) + "-gpu")))
                .toList();
    }

    private static ObjectNode hostname(String node) {
        ObjectNode selection = object();
        ObjectNode requirement = selection
                .putObject("nodeSelector")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchExpressions")
                .addObject();
        requirement
                .put("key", "kubernetes.io/hostname")
                .put("operator", "In")
                .putArray("values")
                .add(node);
        return selection;
    }

    private void manyNodes() {
        for (int nodes : new int[] {100, 1_000, 5_000}) {
            String target = node(nodes / 2);
            String prefix = "e-nodes-" + nodes;
            ObjectNode one = claim("c0", request("r0", "gpu", 1));
            ObjectNode eight = claim("c0", request("r0", "gpu", 8));
            Supplier<List<ObjectNode>> byName = perNode(nodes, BenchProblems::node, 1, i -> nodeName(node(i)));
            Supplier<List<ObjectNode>> everywhere =
                    perNode(nodes, i -> "shared", nodes, i -> object().put("allNodes", true));
            addOn(target, prefix + "-nodename", byName, object(), one);
            addOn(target, prefix + "-nodename-8", byName, object(), eight);
            addOn(
                    target,
                    prefix + "-nodeselector",
                    perNode(nodes, BenchProblems::node, 1, i -> hostname(node(i))),
                    object(),
                    one);
            addOn(
                    target,
                    prefix + "-onepool",
                    perNode(nodes, i -> "shared", nodes, i -> nodeName(node(i))),
                    object(),
                    one);
            addOn(target, prefix + "-allnodes", everywhere, object(), one);
            addOn(target, prefix + "-allnodes-full", everywhere, allButTheLast(nodes), one);
        }
    }

    private static ObjectNode allButTheLast(int nodes) {
        ObjectNode state = object();
        for (int i = 0; i < 8 * nodes - 1; i++) {
            held(state.withArray("devices"), "shared", node(i / 8) + "-gpu-" + i % 8);
        }
        return state;
    }

    private static ObjectNode held(ArrayNode devices, String pool, String device) {
        return devices.addObject().put("driver", DRIVER).put("pool", pool).put("device", device);
    }

    private static Supplier<List<ObjectNode>> shareable(int count, int gibibytes, JsonNode policy) {
        return () -> {
            List<ObjectNode> devices = gpus(count, "gpu");
            for (ObjectNode device : devices) {
                device.put("allowMultipleAllocations", true);
                ObjectNode memory =
                        device.putObject("capacity").putObject("memory").put("value", gibibytes + "Gi");
                if (!policy.isEmpty()) {
                    memory.set("requestPolicy", policy);
                }
            }
            return oneSlice(devices);
        };
    }

    private static ObjectNode[] shares(int count, String amount) {
        return repeated(count, i -> {
            ObjectNode request = request("r0", "gpu", 1);
            ((ObjectNode) request.get("exactly"))
                    .putObject("capacity")
                    .putObject("requests")
                    .put("memory", amount);
            return claim("c" + i, request);
        });
    }

    private void shares() {
        ObjectNode policy = object().put("default", "1Gi");
        policy.putObject("validRange").put("min", "1Gi").put("max", "64Gi").put("step", "1Gi");
        add("f-shares-64of64", shareable(1, 64, object()), shares(64, "1Gi"));
        add("f-shares-64of64-policy", shareable(1, 64, policy), shares(64, "1000Mi"));
        add("f-shares-65of64-unsat", shareable(1, 64, object()), shares(65, "1Gi"));
        addOn(HERE, "f-shares-1-after-63", shareable(1, 64, object()), sixtyThreeShares(), shares(1, "1Gi"));
        add("f-shares-64over8", shareable(8, 8, object()), shares(64, "1Gi"));
        for (int each : new int[] {2, 4, 6, 8, 10, 12}) {
            int claims = 2 * each + 1;
            add("f-shares-" + claims + "over2x" + each + "-unsat", shareable(2, each, object()), shares(claims, "1Gi"));
        }
    }

    private static ObjectNode sixtyThreeShares() {
        ObjectNode state = object();
        for (int i = 0; i < 63; i++) {
            held(state.withArray("shared"), HERE, "gpu-0").put("shareID", "share-" + i);
        }
        held(state.withArray("capacity"), HERE, "gpu-0").putObject("consumed").put("memory", "63Gi");
        return state;
    }
}
