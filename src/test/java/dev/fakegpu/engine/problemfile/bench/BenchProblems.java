package dev.fakegpu.engine.problemfile.bench;

import static dev.fakegpu.engine.problemfile.bench.ProblemParts.DRIVER;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.HERE;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.attribute;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.attributes;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.claim;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.classes;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.device;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.fill;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.gpus;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.nodeName;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.object;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.oneSlice;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.profile;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.repeated;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.request;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.slice;
import static dev.fakegpu.engine.problemfile.bench.ProblemParts.withDevices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Lists;
import dev.fakegpu.dra.Limits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Problems of the size of real machines, including some for which an exhaustive search takes exponential time. */
final class BenchProblems {

    private final Map<String, Supplier<ObjectNode>> problems = new LinkedHashMap<>();

    /** The problems by name. Each is created when it is needed, because the large ones take 100 MB together. */
    static Map<String, Supplier<ObjectNode>> all() {
        var bench = new BenchProblems();
        bench.wholeGpus();
        bench.mig();
        bench.groups();
        bench.alternatives();
        bench.constraints();
        bench.twoConstraints();
        bench.identicalDevices();
        bench.manyNodes();
        bench.shares();
        bench.growingPool();
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

    private void wholeGpus() {
        for (int count : new int[] {1, 8, 9}) {
            add("a-whole-" + count + "of8", gpus(8), claim("c0", request("r0", "gpu", count)));
        }
    }

    private void mig() {
        String small = profile("1g.10gb");
        String three = profile("3g.40gb");
        String four = profile("4g.40gb");
        add("b-mig-7x1g", () -> Partitions.of(8, false), claim("c0", request("r0", "mig", 7, small)));
        add("b-mig-20x1g", () -> Partitions.of(8, false), claim("c0", request("r0", "mig", 20, small)));
        for (int first : new int[] {28, 29}) {
            add(
                    first == 28 ? "b-mig-56x1g" : "b-mig-57x1g-unsat",
                    () -> Partitions.of(8, false),
                    claim("c0", request("r0", "mig", first, small)),
                    claim("c1", request("r0", "mig", 28, small)));
        }
        for (int k : new int[] {1, 2, 3, 4}) {
            int count = 7 * k + 1;
            add(
                    "b-mig-" + count + "x1g-" + k + "gpu-unsat",
                    () -> Partitions.of(k, false),
                    claim("c0", request("r0", "mig", count, small)));
        }
        for (int k : new int[] {1, 2, 3, 4, 5, 8}) {
            Supplier<List<ObjectNode>> slices = () -> Partitions.of(k, false);
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
                () -> Partitions.of(8, true),
                claim("c0", request("r0", "mig", 7, small), request("r1", "vgpu", 8, slot)));
        add(
                "c-groups-mixed-5req",
                () -> Partitions.of(8, true),
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
                    () -> Partitions.of(k, true),
                    claim("c0", request("r0", "partition", 1)),
                    claim("c1", request("r0", "vgpu", slots, slot)));
        }
        for (int k : new int[] {2, 3, 4, 8}) {
            int slots = Math.min(8 * (k - 1) + 1, 25);
            int taken = k - (slots - 1) / 8;
            add(
                    "c-groups-" + taken + "x4g-" + slots + "xvgpu-" + k + "gpu-unsat",
                    () -> Partitions.of(k, true),
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
        return constrained(claim, "matchAttribute", "rack");
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

    /** Only the last three devices have equal values of both attributes. */
    private void twoConstraints() {
        add(
                "d-two-matches-3of63",
                () -> oneSlice(numbered(63, i -> i < 60 ? i % 20 : 20, i -> i < 60 ? i * 7 % 19 : 20)),
                constrained(claim("c0", request("r0", "gpu", 3)), "matchAttribute", "rack", "numa"));
        for (int count : new int[] {4, 5}) {
            add(
                    "d-distinct-" + count + "requests-4values" + (count > 4 ? "-unsat" : ""),
                    () -> oneSlice(numbered(24, i -> i % 4, i -> 0)),
                    constrained(
                            claim("c0", repeated(count, r -> request("r" + r, "gpu", 1))),
                            "distinctAttribute",
                            "rack"));
        }
    }

    private static List<ObjectNode> numbered(int count, IntUnaryOperator rack, IntUnaryOperator numa) {
        List<ObjectNode> gpus = gpus(count, "gpu");
        for (int i = 0; i < count; i++) {
            attributes(gpus.get(i)).putObject("rack").put("int", rack.applyAsInt(i));
            attributes(gpus.get(i)).putObject("numa").put("int", numa.applyAsInt(i));
        }
        return gpus;
    }

    private static ObjectNode constrained(ObjectNode claim, String kind, String... attributes) {
        for (String attribute : attributes) {
            ((ObjectNode) claim.get("spec").get("devices"))
                    .withArray("constraints")
                    .addObject()
                    .put(kind, DRIVER + "/" + attribute);
        }
        return claim;
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

    /** Only the last eight devices match the request. */
    private void growingPool() {
        for (int devices : new int[] {1_000, 4_000, 16_000}) {
            add(
                    "g-last-8of-" + devices,
                    () -> pool(gpus(devices, "gpu")),
                    claim("c0", request("r0", "gpu", 8, attribute("index") + " >= " + (devices - 8))));
        }
    }

    private static List<ObjectNode> pool(List<ObjectNode> devices) {
        List<List<ObjectNode>> slices = Lists.partition(devices, Limits.DEVICES);
        return IntStream.range(0, slices.size())
                .mapToObj(
                        i -> withDevices(slice("node-1-gpus-" + i, HERE, slices.size(), nodeName(HERE)), slices.get(i)))
                .toList();
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
