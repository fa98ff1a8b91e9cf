package dev.fakegpu.hardware.slices;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random FakeGpus, most of which are valid. Many are just within or just beyond a limit. */
final class RandomSpec {

    private final Random random;

    RandomSpec(long seed) {
        random = new Random(seed);
    }

    /** The content of {@code spec:}, as YAML in flow style. */
    String next() {
        List<String> fields = new ArrayList<>();
        boolean network = chance(4);
        boolean model = chance(3);
        fields.add(network ? "nodes: {all: true}" : "nodes: {names: [node-1]}");
        fields.add("allocator: " + (chance(2) ? "Companion" : "KubeScheduler"));
        fields.add(model ? model() : "custom: {%s}".formatted(custom(network)));
        if (chance(3)) {
            fields.add("attributes: {%s}".formatted(list(upTo(8), i -> "extra%d: %s".formatted(i, attribute()))));
        }
        if (chance(3)) {
            fields.add("taints: [%s]".formatted(list(upTo(9), i -> taint("t" + i))));
        }
        if (chance(4)) {
            fields.add("health: [{state: GpuLost}, {state: XidError, xid: %d}]".formatted(1 + random.nextInt(120)));
        }
        if (chance(4)) {
            fields.add("binding: {conditions: [%s], failureConditions: [failed]}"
                    .formatted(list(1 + upTo(4), i -> "c" + i)));
        }
        if (chance(5)) {
            fields.add("skipNodeOperations: ['*']");
        }
        if (chance(5)) {
            fields.add("partitionTypeAttribute: type");
        }
        return "{" + String.join(", ", fields) + "}";
    }

    private String model() {
        String name = pick("A100-SXM4-40GB", "H100-80GB-HBM3", "L40S");
        List<String> fields = new ArrayList<>(List.of("model: " + name, "count: " + pick("1", "2", "7", "8", "9")));
        List<String> partitions = new ArrayList<>();
        if (!name.equals("L40S") && chance(2)) {
            partitions.add(pick(
                    "mig: {profiles: [All]}",
                    "mig: {static: [{gpus: [0], devices: {%s: 1}}]}"
                            .formatted(name.startsWith("A100") ? "7g.40gb" : "7g.80gb")));
        }
        if (chance(2)) {
            partitions.add("vgpu: {types: [All]}");
        }
        if (!partitions.isEmpty()) {
            fields.add("partitions: {%s}".formatted(String.join(", ", partitions)));
        }
        if (chance(3)) {
            fields.add("sharing: {mode: %s}".formatted(pick("Memory", "Unlimited", "Shares, shares: 4")));
        }
        if (chance(3)) {
            fields.add("topology: {gpusPerPcieRoot: %s}".formatted(pick("1", "2", "4")));
        }
        return String.join(", ", fields);
    }

    private String custom(boolean network) {
        int sets = pickInt(0, 1, 2, 8, 9);
        int counters = pickInt(1, 16, 31, 32, 33);
        boolean mixins = chance(3) && sets * counters < 256;
        List<String> fields = new ArrayList<>();
        if (mixins) {
            fields.add(
                    "mixins: {device: [{name: m, attributes: {%s}}], counterConsumption: [{name: m, counters: {c0: 1}}]}"
                            .formatted(list(1 + upTo(16), i -> "m%d: %s".formatted(i, attribute()))));
        }
        fields.add("counterSets: [%s]"
                .formatted(list(
                        sets, i -> "{name: s%d, counters: {%s}}".formatted(i, list(counters, c -> "c" + c + ": 64")))));
        int devices = pickInt(1, 2, 64, 65, 128, 129);
        String content = device(sets, counters, mixins);
        fields.add("devices: [%s]"
                .formatted(list(
                        devices,
                        i -> "{name: d%d%s%s}"
                                .formatted(
                                        i,
                                        chance(10) ? "" : content,
                                        network && chance(5) ? ", nodeName: node-" + i : ""))));
        return String.join(", ", fields);
    }

    private String device(int sets, int counters, boolean mixins) {
        var content = new StringBuilder();
        if (mixins) {
            content.append(", includes: [m]");
        }
        content.append(", attributes: {type: {string: part}, %s}"
                .formatted(list(upTo(24), i -> "a%d: %s".formatted(i, attribute()))));
        boolean shared = chance(3);
        int capacities = upTo(10);
        content.append(", capacity: {%s}".formatted(list(capacities, i -> "c%d: 64Gi".formatted(i))));
        if (shared) {
            content.append(", allowMultipleAllocations: true, requestPolicies: {%s}"
                    .formatted(list(capacities, i -> "c%d: %s".formatted(i, policy()))));
        }
        if (sets > 0 && chance(2)) {
            content.append(", consumesCounters: [%s]"
                    .formatted(list(
                            Math.min(sets, 1 + upTo(2)),
                            i -> "{counterSet: s%d, %s counters: {%s}, compatibilityGroups: [%s]}"
                                    .formatted(
                                            i,
                                            mixins ? "includes: [m]," : "",
                                            list(1 + random.nextInt(counters), c -> "c" + c + ": 1"),
                                            list(upTo(2), g -> "g" + g)))));
        }
        if (chance(3)) {
            content.append(", taints: [%s]".formatted(list(upTo(10), i -> taint("own" + i))));
        }
        return content.toString();
    }

    private String attribute() {
        return switch (random.nextInt(8)) {
            case 0 -> "{int: 7}";
            case 1 -> "{bool: true}";
            case 2 -> "{version: 1.2.3}";
            case 3 -> "{strings: [%s]}".formatted(list(1 + upTo(6), i -> "v" + i));
            case 4 -> "{ints: [%s]}".formatted(list(1 + upTo(6), i -> String.valueOf(i)));
            default -> "{string: %s}".formatted("x".repeat(1 + random.nextInt(64)));
        };
    }

    private String policy() {
        return pick(
                "{default: 1Gi}",
                "{default: 2Gi, validValues: [1Gi, 2Gi, 64Gi]}",
                "{default: 1Gi, validRange: {min: 1Gi}}",
                "{default: 0, validRange: {min: 0, max: 32Gi, step: 1Mi}}");
    }

    private String taint(String key) {
        return "{key: %s, effect: %s}".formatted(key, pick("None", "NoSchedule", "NoExecute"));
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private int upTo(int most) {
        return random.nextInt(most + 1);
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int pickInt(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static String list(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(", "));
    }
}
