package dev.fakegpu.evidence;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Determines the maximum size of slices with groups. */
final class LargestSlices {

    private static final int NAME = 63;
    private static final int ATTRIBUTES = 32;

    /**
     * The size of a slice.
     *
     * @param with the bytes of JSON as stored, with the maximum number and length of groups
     * @param without the bytes of the same slice without groups
     */
    record Weight(int devices, int sets, int counters, int groups, int length, int with, int without) {}

    /** The name of a group, and the API server's error about it; empty if it is accepted. */
    record Name(String groups, String refusal) {}

    private final Lab lab;

    LargestSlices(Lab lab) {
        this.lab = lab;
    }

    List<SliceLimit> limits() {
        var limits = new ArrayList<SliceLimit>();
        limits.add(limit("groups of one `consumesCounters` entry", n -> devices(1, 1, 1, names("g", n))));
        limits.add(limit("characters of a group's name", n -> devices(1, 1, 1, "g".repeat(n))));
        limits.add(limit("devices with groups in a slice", n -> devices(n, 1, 1, "g")));
        limits.add(limit("counter sets from which a device consumes", n -> devices(1, n, 1, "g")));
        limits.add(limit("counters of one `consumesCounters` entry", n -> devices(1, 1, n, "g")));
        limits.add(limit("counter sets in a slice", n -> counterSets(n, 1)));
        limits.add(limit("counters of a counter set", n -> counterSets(1, n)));
        return limits;
    }

    private SliceLimit limit(String of, IntFunction<String> yaml) {
        SliceLimit found = SliceLimit.find(of, 4096, n -> refusal(yaml.apply(n)));
        System.out.println("  " + of + ": " + found.accepted());
        return found;
    }

    List<Name> names() {
        return List.of("MIG", "'mig 1g'", "''", "mig.example.com/1g", "mig_1g", "mig, mig").stream()
                .map(groups -> new Name(groups, refusal(devices(1, 1, 1, groups))))
                .toList();
    }

    private String refusal(String yaml) {
        try {
            lab.dryRun(yaml);
            return "";
        } catch (KubernetesClientException e) {
            return e.getStatus().getMessage().replaceFirst("^.*? is invalid: ", "");
        }
    }

    /** Stores the largest slice that the limits allow. */
    Weight weight(List<SliceLimit> limits) {
        int groups = limits.get(0).accepted();
        int length = limits.get(1).accepted();
        int devices = limits.get(2).accepted();
        int sets = limits.get(3).accepted();
        int counters = limits.get(4).accepted();
        String names = IntStream.range(0, groups)
                .mapToObj(i -> (char) ('a' + i) + "g".repeat(length - 1))
                .collect(Collectors.joining(", "));
        int with = bytes(devices(devices, sets, counters, names));
        int without = bytes(devices(devices, sets, counters, ""));
        return new Weight(devices, sets, counters, groups, length, with, without);
    }

    private int bytes(String yaml) {
        GenericKubernetesResource stored = lab.apply(yaml);
        lab.client().resource(stored).delete();
        return Serialization.asJson(stored).getBytes(StandardCharsets.UTF_8).length;
    }

    // --- slices with names of the maximum length

    private static String devices(int count, int sets, int counters, String groups) {
        String attributes = IntStream.range(0, ATTRIBUTES)
                .mapToObj(i -> "%s/a%s: {string: %s}".formatted(domain(), longest(i, 30), "v".repeat(64)))
                .collect(Collectors.joining(", "));
        String amounts = IntStream.range(0, counters)
                .mapToObj(i -> longest("counter", i) + ": {value: \"1\"}")
                .collect(Collectors.joining(", "));
        String consumes = IntStream.range(0, sets)
                .mapToObj(i -> "{counterSet: %s, compatibilityGroups: [%s], counters: {%s}}"
                        .formatted(longest("set", i), groups, amounts))
                .collect(Collectors.joining(", "));
        return head()
                + IntStream.range(0, count)
                        .mapToObj(i -> "  - {name: %s, attributes: {%s}, consumesCounters: [%s]}\n"
                                .formatted(longest("device", i), attributes, consumes))
                        .collect(Collectors.joining("", "  devices:\n", ""));
    }

    private static String counterSets(int sets, int counters) {
        String amounts = IntStream.range(0, counters)
                .mapToObj(i -> longest("counter", i) + ": {value: \"1\"}")
                .collect(Collectors.joining(", "));
        return head()
                + IntStream.range(0, sets)
                        .mapToObj(i -> "  - {name: %s, counters: {%s}}\n".formatted(longest("set", i), amounts))
                        .collect(Collectors.joining("", "  sharedCounters:\n", ""));
    }

    private static String head() {
        return """
                apiVersion: resource.k8s.io/v1
                kind: ResourceSlice
                metadata: {name: largest}
                spec:
                  driver: gpu.example.com
                  nodeName: largest
                  pool: {name: largest, generation: 1, resourceSliceCount: 2}
                """;
    }

    private static String names(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).collect(Collectors.joining(", "));
    }

    private static String domain() {
        return "d".repeat(59) + ".com";
    }

    private static String longest(int number, int length) {
        return "x".repeat(length - String.valueOf(number).length()) + number;
    }

    private static String longest(String prefix, int number) {
        return prefix + "-" + longest(number, NAME - prefix.length() - 1);
    }
}
