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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.WarmupMode;

/**
 * Times both allocators on the same problems, at the same time, and writes a table.
 *
 * <p>Arguments: the program that calls upstream, the file of the table, and optionally a regular expression for the names of the problems,
 * which replaces the list of the report.
 */
final class AllocatorBench {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RUNS = 300;
    private static final Duration BUDGET = Duration.ofSeconds(3);
    private static final String TIMEOUT = "20s";
    private static final int WARM_RATIO = 5;
    private static final int CHANGED_RATIO = 7;

    /** The largest problem of each shape, and some smaller ones. */
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

    /** The measured nanoseconds of this project's allocator for each call with one problem. */
    private record Measured(double warm, double changedPool, double cold) {}

    public static void main(String... arguments) throws Exception {
        var bench = new AllocatorBench(arguments[0]);
        Pattern part = Pattern.compile(arguments.length > 2 ? arguments[2] : "^(" + REPORTED + ")$");
        List<String> names = BenchProblems.all().keySet().stream()
                .filter(name -> part.matcher(name).find())
                .toList();
        CompletableFuture<Map<String, JsonNode>> theirs = CompletableFuture.supplyAsync(() -> bench.upstream(names));
        Map<String, Measured> ours = measure(names);
        var rows = new ArrayList<String>();
        for (String name : names) {
            ObjectNode problem = BenchProblems.all().get(name).get();
            rows.add(row(name, theirs.get().get(name), answer(problem), ours.get(name)));
            System.out.println(rows.get(rows.size() - 1));
        }
        write(Path.of(arguments[1]), rows);
    }

    private static Map<String, Measured> measure(List<String> names) throws RunnerException {
        var options = new OptionsBuilder()
                .include(AllocatorBenchmark.class.getName())
                .param("problem", names.toArray(String[]::new))
                .forks(0)
                .warmupMode(WarmupMode.BULK)
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
        return new Measured(score(results, "warm"), score(results, "changedPool"), score(results, "cold"));
    }

    private static double score(Map<String, RunResult> results, String label) {
        return results.get(label).getPrimaryResult().getStatistics().getPercentile(50);
    }

    private Map<String, JsonNode> upstream(List<String> names) {
        Map<String, JsonNode> answers = new HashMap<>();
        for (String name : names) {
            try {
                answers.put(name, upstream(BenchProblems.all().get(name).get()));
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return answers;
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

    /** The answer of this project's allocator, for comparison. */
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
                                steps(answer)))
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

    /** The problems whose ratio in a column is too small. */
    private static String below(double factor, int column, List<String> rows) {
        String names = rows.stream()
                .map(row -> row.split(" *\\| *"))
                .filter(cells -> Double.parseDouble(cells[column].replaceAll("[>, ]", "")) < factor)
                .map(cells -> "`" + cells[1] + "` (" + cells[column] + ")")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "none" : names;
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
                        + ", JMH, the median of all calls within a second, in one process",
                "  that first makes all of these calls for two seconds each. Both allocators are measured at the same time; what else runs on the",
                "  machine changes medians less than means.",
                "  *Warm*: slices and selectors are already compiled, as in a running operator; a call checks the claims, searches, and",
                "  writes the results. *Changed pool*: before each call a slice of the pool is replaced by one that was read again, as by a watch,",
                "  in which the first device of the answer has one more attribute, or lacks it again; replacing it is part of the call. *Cold*:",
                "  neither slices nor selectors are compiled, but the JVM is warmed up. The state of the cluster is read from JSON before the",
                "  measured calls, on both sides.",
                "- In the table, less than 10 times as fast as upstream when warm: " + below(10, WARM_RATIO, rows)
                        + ".",
                "- In the table, less than 3 times as fast after a change: " + below(3, CHANGED_RATIO, rows) + ".",
                "- Machine: " + Runtime.getRuntime().availableProcessors() + " processors, "
                        + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch") + ", load average "
                        + Math.round(
                                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()) + " at the end.",
                "",
                "| problem | outcome | upstream warm | warm | ratio | changed pool | ratio | upstream cold | cold | ratio | upstream's steps | steps |",
                "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"));
        lines.addAll(rows);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
