package dev.fakegpu.engine.problemfile.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.ProblemAnswer;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.engine.problemfile.Solver;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Times both allocators on the same problems, one after the other, and writes a table.
 *
 * <p>Arguments: the program that asks upstream, the table's file, and optionally a regular expression for the names of the problems
 * to run, instead of those of the report.
 */
final class AllocatorBench {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RUNS = 300;
    private static final Duration BUDGET = Duration.ofSeconds(3);
    private static final String TIMEOUT = "20s";

    /** The largest of each shape, and some smaller ones. */
    private static final String REPORTED = String.join(
            "|",
            "a-whole-.*",
            "b-mig-(7x1g|20x1g|56x1g|57x1g-unsat|29x1g-4gpu-unsat)",
            "b-mig-.*-5gpu(-unsat)?",
            "b-mig-8x3g-8x4g-.*",
            "c-groups-any-then-(7|23|31)xvgpu-.*",
            "c-groups-5x4g-.*",
            "d-first-available-shrinking-8gpu",
            "d-match-8of-(1x7.8-one-request|8x7.8-eight-requests)",
            "d-identical-(25of24|11requests-10gpu)-unsat",
            "e-nodes-5000-(nodename|nodeselector|onepool|allnodes)",
            "f-shares-(64of64|65of64-unsat|1-after-63|5over2x2-unsat|25over2x12-unsat)",
            "g-.*");

    private final String oracle;

    private AllocatorBench(String oracle) {
        this.oracle = oracle;
    }

    /** What was measured of ours for one problem: nanoseconds and bytes for each call. */
    private record Measured(double warm, double changedPool, double cold, double bytes) {}

    public static void main(String... arguments) throws Exception {
        var bench = new AllocatorBench(arguments[0]);
        Pattern part = Pattern.compile(arguments.length > 2 ? arguments[2] : "^(" + REPORTED + ")$");
        List<String> names = BenchProblems.all().keySet().stream()
                .filter(name -> part.matcher(name).find())
                .toList();
        Map<String, Measured> ours = measure(names);
        var rows = new ArrayList<String>();
        for (String name : names) {
            ObjectNode problem = BenchProblems.all().get(name).get();
            rows.add(row(name, bench.upstream(problem), answer(problem), ours.get(name)));
            System.out.println(rows.get(rows.size() - 1));
        }
        write(Path.of(arguments[1]), rows);
    }

    private static Map<String, Measured> measure(List<String> names) throws RunnerException {
        var options = new OptionsBuilder()
                .include(AllocatorBenchmark.class.getName())
                .param("problem", names.toArray(String[]::new))
                .addProfiler(GCProfiler.class)
                .build();
        Map<String, Map<String, RunResult>> byProblem = new HashMap<>();
        for (RunResult result : new Runner(options).run()) {
            byProblem
                    .computeIfAbsent(result.getParams().getParam("problem"), ignored -> new HashMap<>())
                    .put(result.getPrimaryResult().getLabel(), result);
        }
        Map<String, Measured> measured = new HashMap<>();
        byProblem.forEach((name, results) -> measured.put(name, measured(results)));
        return measured;
    }

    private static Measured measured(Map<String, RunResult> results) {
        Result<?> bytes = results.get("warm").getSecondaryResults().get("gc.alloc.rate.norm");
        return new Measured(
                score(results, "warm"),
                score(results, "changedPool"),
                score(results, "cold"),
                bytes == null ? Double.NaN : bytes.getScore());
    }

    private static double score(Map<String, RunResult> results, String label) {
        return results.get(label).getPrimaryResult().getScore();
    }

    private JsonNode upstream(ObjectNode problem) throws IOException, InterruptedException {
        Path file = Files.createTempFile("problem", ".json");
        try {
            JSON.writeValue(file.toFile(), problem);
            return run(
                    oracle,
                    "-all-features",
                    "-bench",
                    "" + RUNS,
                    "-budget",
                    BUDGET.toSeconds() + "s",
                    "-timeout",
                    TIMEOUT,
                    file.toString());
        } finally {
            Files.delete(file);
        }
    }

    private static JsonNode run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        JsonNode answer = JSON.readTree(process.getInputStream());
        if (process.waitFor() != 0) {
            throw new IOException(command[0] + " failed");
        }
        return answer;
    }

    /** What this project's allocator says, to be compared. */
    private static JsonNode answer(ObjectNode problem) throws UnreadableProblemException {
        var settings = new Solver.Settings(true, 1, Duration.ZERO, Duration.ofSeconds(20), false);
        ProblemAnswer answer =
                new Solver(new Selectors(), settings, System::nanoTime).solve(ProblemReader.read(problem));
        return JSON.valueToTree(answer);
    }

    private static String row(String name, JsonNode theirs, JsonNode answer, Measured ours) {
        return "| "
                + String.join(
                        " | ",
                        List.of(
                                name,
                                outcome(theirs, answer),
                                upstream(theirs, "ns"),
                                micros(ours.warm()),
                                ratio(theirs, "ns", ours.warm()),
                                micros(ours.changedPool()),
                                ratio(theirs, "ns", ours.changedPool()),
                                upstream(theirs, "firstNs"),
                                micros(ours.cold()),
                                ratio(theirs, "firstNs", ours.cold()),
                                steps(theirs),
                                steps(answer),
                                String.format(Locale.ROOT, "%,.0f", ours.bytes())))
                + " |";
    }

    private static boolean isTimedOut(JsonNode answer) {
        return answer.path("timedOut").asBoolean();
    }

    private static String outcome(JsonNode theirs, JsonNode ours) {
        String outcome = isTimedOut(ours) ? "timed out" : ours.get("outcome").asText();
        boolean agree = isTimedOut(theirs)
                || isTimedOut(ours)
                || theirs.get("outcome").equals(ours.get("outcome"))
                        && theirs.path("results").equals(ours.path("results"));
        return agree ? outcome : "**different**: " + theirs.get("outcome").asText() + ", here " + outcome;
    }

    private static String upstream(JsonNode answer, String field) {
        return isTimedOut(answer) ? "> " + TIMEOUT : micros(answer.get(field).asDouble());
    }

    private static String micros(double nanoseconds) {
        return String.format(Locale.ROOT, nanoseconds < 10_000 ? "%,.2f" : "%,.0f", nanoseconds / 1_000);
    }

    private static String ratio(JsonNode theirs, String field, double ours) {
        double ratio = theirs.get(field).asDouble() / ours;
        return (isTimedOut(theirs) ? "> " : "") + String.format(Locale.ROOT, ratio < 100 ? "%,.1f" : "%,.0f", ratio);
    }

    private static String steps(JsonNode answer) {
        return (isTimedOut(answer) ? "≥ " : "")
                + String.format(Locale.ROOT, "%,d", answer.get("steps").asLong());
    }

    private static void write(Path file, List<String> rows) throws IOException {
        var lines = new ArrayList<String>(List.of(
                "# The allocator compared with kube-scheduler's",
                "",
                "Written by `hack/bench allocator`. Times of one call in µs; a ratio is upstream's time divided by this project's.",
                "",
                "- Upstream: `k8s.io/dynamic-resource-allocation` v0.37.1, experimental variant, every feature on, through `hack/oracle`:",
                "  a process for each problem, whose first call is *cold* (it compiles CEL); the median of up to "
                        + RUNS + " further calls within " + BUDGET.toSeconds() + " s is *warm*.",
                "  A call that takes more than " + TIMEOUT + " is ended. Gathering the pools is part of every call.",
                "- This project: every feature on, Java " + Runtime.version()
                        + ", JMH with a process for each figure, mean of all calls.",
                "  *Warm*: slices and selectors are already compiled, as in a running operator; a call checks the claims, searches, and",
                "  writes the results. *Changed pool*: before each call a slice of one pool is replaced by a new object, as by a watch, so that",
                "  everything known about that pool is computed again. *Cold*: neither slices nor selectors are compiled, but the JVM is",
                "  warmed up. The state of the cluster is read from JSON before the measured calls, on both sides.",
                "- Bytes: what a warm call allocates in this project.",
                "- Machine: " + Runtime.getRuntime().availableProcessors() + " processors, "
                        + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch") + ".",
                "",
                "| problem | outcome | upstream warm | warm | ratio | changed pool | ratio | upstream cold | cold | ratio | upstream's steps | steps | bytes |",
                "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"));
        lines.addAll(rows);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
