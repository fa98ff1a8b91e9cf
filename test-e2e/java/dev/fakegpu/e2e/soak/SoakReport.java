package dev.fakegpu.e2e.soak;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.e2e.soak.Replicas.Sample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The measurements of a run. */
final class SoakReport {

    private record Recovery(Duration away, Duration until) {}

    private final Duration length;
    private final long seed;
    private final int users;
    private final List<Duration> failOvers = new ArrayList<>();
    private final List<Recovery> recoveries = new ArrayList<>();
    private final StringBuilder load = new StringBuilder();
    private List<Sample> memoryBefore = List.of();
    private List<Sample> memoryAfter = List.of();
    private final List<Long> apiServer = new ArrayList<>();
    private List<String> violations = List.of();
    private Map<String, Long> faults = Map.of();
    private Map<String, Integer> disruptions = Map.of();
    private long allocated;
    private long released;
    private int ended;
    private int failedStarts;

    SoakReport(Duration length, long seed, int users) {
        this.length = length;
        this.seed = seed;
        this.users = users;
    }

    void failOver(Duration time) {
        failOvers.add(time);
    }

    void recovery(Duration away, Duration until) {
        recoveries.add(new Recovery(away, until));
    }

    void memoryBefore(List<Sample> samples) {
        memoryBefore = samples;
    }

    void memoryAfter(List<Sample> samples) {
        memoryAfter = samples;
    }

    /** In MiB: before the last part, after it, and the maximum of the whole run. */
    void memoryOfApiServer(long mebibytes) {
        apiServer.add(mebibytes);
    }

    void operators(int endedSoFar, int failedSoFar) {
        ended = endedSoFar;
        failedStarts = failedSoFar;
    }

    void load(Workload workload, Duration time) {
        for (AllocatorName allocator : AllocatorName.values()) {
            load.append(String.format(
                    Locale.ROOT,
                    "| served by %s | %d (%.1f/s) |%n",
                    allocator == AllocatorName.Companion ? "the companion" : "kube-scheduler",
                    workload.served(allocator),
                    workload.served(allocator) / (double) time.toSeconds()));
        }
        load.append("| not served within 45 s | %d |\n".formatted(workload.unserved()));
    }

    void result(Map<String, Long> injected, Map<String, Integer> done, ClusterHistory history, List<String> violated) {
        faults = injected;
        disruptions = done;
        allocated = history.allocated();
        released = history.released();
        violations = List.copyOf(violated);
    }

    /** A sentence for each violation. */
    List<String> violations() {
        return violations;
    }

    String markdown() {
        return """
                | | |
                |---|---|
                | length | %d minutes |
                | seed | %d |
                | users at a time | %d |
                | claims allocated | %d |
                | of them released | %d |
                %s| violations | %d |
                | operators that ended, by a kill or by themselves | %d |
                | starts of an operator that failed | %d |
                | fail-over after a kill of the leader, p50 | %s |
                | fail-over, p99 | %s |
                %s%s
                | happened | times |
                |---|--:|
                %s
                | fault between operator and API server | requests |
                |---|--:|
                %s%s
                """.formatted(
                        length.toMinutes(),
                        seed,
                        users,
                        allocated,
                        released,
                        load,
                        violations.size(),
                        ended,
                        failedStarts,
                        percentile(50),
                        percentile(99),
                        recoveryRows(),
                        memoryRows(),
                        rows(disruptions),
                        rows(faults),
                        violations.stream().map(each -> "\n- " + each).collect(Collectors.joining()));
    }

    private String percentile(int percent) {
        var sorted = failOvers.stream().sorted().toList();
        return sorted.isEmpty()
                ? "none"
                : "%s (of %d)"
                        .formatted(
                                seconds(sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100))),
                                sorted.size());
    }

    private String recoveryRows() {
        return recoveries.stream()
                .map(each -> "| first allocation after the API server was away for %s | %s |\n"
                        .formatted(seconds(each.away()), seconds(each.until())))
                .collect(Collectors.joining());
    }

    private String memoryRows() {
        return memoryOfLeader()
                + "| RSS of the API server before and after the last part, and the most | %s MiB |\n"
                        .formatted(apiServer.stream().map(String::valueOf).collect(Collectors.joining(", ")));
    }

    /** The memory of the leader, if it was the same for the whole last part. */
    private String memoryOfLeader() {
        if (memoryBefore.isEmpty() || memoryAfter.size() <= memoryBefore.size()) {
            return "| RSS of the leader | no leader lasted for the last part |\n";
        }
        var later = memoryAfter.subList(memoryBefore.size(), memoryAfter.size());
        Sample reference = memoryAfter.stream()
                .filter(sample -> sample.age().compareTo(Duration.ofMinutes(5)) >= 0)
                .findFirst()
                .filter(sample ->
                        sample.age().multipliedBy(3).compareTo(last(later).age().multipliedBy(2)) <= 0)
                .orElse(memoryAfter.get(memoryAfter.size() / 3));
        return "| RSS of the leader at the age of %s | %d MiB |\n| at the age of %s | %d MiB |\n"
                .formatted(
                        seconds(reference.age()),
                        reference.rss(),
                        seconds(last(later).age()),
                        last(later).rss());
    }

    private static Sample last(List<Sample> samples) {
        return samples.get(samples.size() - 1);
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1000.0);
    }

    private static String rows(Map<String, ? extends Number> counts) {
        return counts.entrySet().stream()
                .map(entry -> "| %s | %d |\n"
                        .formatted(entry.getKey(), entry.getValue().longValue()))
                .collect(Collectors.joining());
    }
}
