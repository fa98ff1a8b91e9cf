package dev.fakegpu.hardware.slices;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.hardware.inventory.Specs;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Accepted FakeGpus of the maximum size. */
final class LargestSpecs {

    private static final String LABEL_KEY =
            "d".repeat(61) + "." + "e".repeat(63) + "." + "f".repeat(63) + "." + "g".repeat(63) + "/";

    private static final Map<String, FakeGpuSpec> ALL = read();

    private LargestSpecs() {}

    /** The specs, by the field that has the maximum size. */
    static Map<String, FakeGpuSpec> all() {
        return ALL;
    }

    private static Map<String, FakeGpuSpec> read() {
        var specs = new LinkedHashMap<String, FakeGpuSpec>();
        specs.put("GPUs with MIG and vGPU", Specs.everything("A100-SXM4-40GB", 64));
        specs.put(
                "plain devices",
                custom(
                        "",
                        devices(
                                300,
                                "attributes: {%s}, capacity: {%s}"
                                        .formatted(
                                                attributes(20),
                                                list(12, i -> name("c", i, 32) + ": 9223372036854775807")))));
        specs.put("counter sets", custom(counterSets(512), devices(1, consuming(0))));
        specs.put("consumed counters", custom(counterSets(2), devices(70, consuming(0))));
        specs.put(
                "lists",
                custom("", devices(70, "attributes: {l: {strings: [%s]}}".formatted(list(48, i -> text(i, 64))))));
        specs.put(
                "taints",
                spec(
                        "allocator: KubeScheduler, taints: [%s]"
                                .formatted(list(
                                        16,
                                        i -> "{key: %s, value: %s, effect: NoSchedule}"
                                                .formatted(LABEL_KEY + name("k", i, 63), name("v", i, 63)))),
                        "",
                        devices(70, "")));
        specs.put(
                "policies",
                custom(
                        "",
                        devices(
                                70,
                                "allowMultipleAllocations: true, capacity: {%s}, requestPolicies: {%s}"
                                        .formatted(
                                                list(32, i -> name("c", i, 32) + ": 9223372036854775807"),
                                                list(
                                                        32,
                                                        i -> name("c", i, 32)
                                                                + ": {default: 922337203685477580, validValues: ["
                                                                + list(10, j -> "92233720368547758" + j) + "]}")))));
        specs.put("everything on each device", everythingOnEachDevice());
        specs.put("mixins", mixins());
        return Collections.unmodifiableMap(specs);
    }

    private static FakeGpuSpec everythingOnEachDevice() {
        String device = String.join(
                ", ",
                "attributes: {l: {strings: [%s]}, %s}".formatted(list(30, i -> text(i, 64)), attributes(17)),
                "allowMultipleAllocations: true",
                "capacity: {%s}".formatted(list(14, i -> name("c", i, 32) + ": 9223372036854775807")),
                "requestPolicies: {%s}"
                        .formatted(list(
                                14,
                                i -> name("c", i, 32) + ": {default: 922337203685477580, validValues: ["
                                        + list(10, j -> "92233720368547758" + j) + "]}")),
                consuming(0),
                "taints: [%s]"
                        .formatted(list(
                                16,
                                i -> "{key: %s, value: %s, effect: NoExecute}"
                                        .formatted(LABEL_KEY + name("k", i, 63), name("v", i, 63)))),
                "binding: {conditions: [%s], failureConditions: [%s]}"
                        .formatted(
                                list(4, i -> LABEL_KEY + name("c", i, 63)), list(4, i -> LABEL_KEY + name("f", i, 63))),
                "nodeSelector: {nodeSelectorTerms: [%s]}"
                        .formatted(list(
                                8,
                                t -> "{matchExpressions: [%s]}"
                                        .formatted(list(
                                                16,
                                                i -> "{key: %s, operator: In, values: [%s]}"
                                                        .formatted(
                                                                LABEL_KEY + name("k", i, 63),
                                                                list(8, v -> name("v", v, 63))))))));
        return spec(
                "allocator: KubeScheduler, nodes: {all: true}, skipNodeOperations: ['*'], partitionTypeAttribute: "
                        + name("a", 0, 32),
                counterSets(2),
                devices(10, device)); // with 12, the FakeGpu itself is too large for etcd
    }

    private static FakeGpuSpec mixins() {
        String mixins = "mixins: {device: [%s], counterConsumption: [%s], counterSet: [%s]}, "
                .formatted(
                        list(
                                8,
                                m -> "{name: m%d, attributes: {%s}}"
                                        .formatted(
                                                m,
                                                list(
                                                        4,
                                                        i -> name("a", 4 * m + i, 32) + ": {string: " + text(i, 64)
                                                                + "}"))),
                        list(8, m -> "{name: m%d, counters: {%s}}".formatted(m, counters(4 * m, 4))),
                        list(8, m -> "{name: m%d, counters: {%s}}".formatted(m, counters(4 * m, 4))));
        String includes = "includes: [m0, m1, m2, m3, m4, m5, m6, m7]";
        return custom(
                mixins + "counterSets: [%s], ".formatted(list(64, i -> "{name: %s, %s}".formatted(set(i), includes))),
                devices(
                        500,
                        "%s, consumesCounters: [{counterSet: %s, %s}, {counterSet: %s, %s}]"
                                .formatted(includes, set(0), includes, set(63), includes)));
    }

    private static FakeGpuSpec custom(String before, String devices) {
        return spec("", before, devices);
    }

    private static FakeGpuSpec spec(String fields, String before, String devices) {
        return Specs.spec(
                "{%s custom: {%s devices: [%s]}}".formatted(fields.isEmpty() ? "" : fields + ",", before, devices));
    }

    private static String devices(int count, String content) {
        return list(count, i -> "{name: %s, %s}".formatted(name("d", i, 63), content));
    }

    private static String attributes(int count) {
        return list(count, i -> name("a", i, 32) + ": {string: " + text(i, 64) + "}");
    }

    private static String counterSets(int count) {
        return "counterSets: [%s], "
                .formatted(list(count, i -> "{name: %s, counters: {%s}}".formatted(set(i), counters(0, 32))));
    }

    private static String consuming(int first) {
        return "consumesCounters: [{counterSet: %s, counters: {%s}, compatibilityGroups: [%s, %s]}%s]"
                .formatted(set(first), counters(0, 32), name("g", 0, 63), name("g", 1, 63), "");
    }

    private static String counters(int from, int count) {
        return list(count, i -> name("n", from + i, 63) + ": 9223372036854775807");
    }

    private static String set(int number) {
        return name("s", number, 63);
    }

    /** A name of the maximum length. */
    private static String name(String prefix, int number, int length) {
        String digits = String.valueOf(number);
        return prefix + "x".repeat(length - prefix.length() - digits.length()) + digits;
    }

    private static String text(int number, int length) {
        return name("t", number, length);
    }

    private static String list(int count, IntFunction<String> element) {
        return IntStream.range(0, count).mapToObj(element).collect(Collectors.joining(", "));
    }
}
