package dev.fakegpu.problem.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.ThreadMXBean;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.problem.Answer;
import dev.fakegpu.problem.ProblemReader;
import dev.fakegpu.problem.Solver;
import dev.fakegpu.problem.UnreadableProblemException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Times both allocators on the same problems and writes a table. Each problem has processes of its own, one after the other, as in a
 * scheduler that has just started: the first call is cold, the median of the others is warm.
 *
 * <p>Arguments: the program that asks upstream, the table's file, and optionally a part of the names of the problems to run.
 */
final class AllocatorBench {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RUNS = 300;
    private static final Duration BUDGET = Duration.ofSeconds(3);
    private static final String TIMEOUT = "20s";

    private final String oracle;
    private final List<String> rows = new ArrayList<>();

    private AllocatorBench(String oracle) {
        this.oracle = oracle;
    }

    public static void main(String... arguments) throws IOException, InterruptedException {
        if (arguments[0].equals("measure")) {
            measure(Path.of(arguments[1]));
            return;
        }
        var bench = new AllocatorBench(arguments[0]);
        String part = arguments.length > 2 ? arguments[2] : "";
        for (Map.Entry<String, Supplier<ObjectNode>> problem :
                BenchProblems.all().entrySet()) {
            if (problem.getKey().contains(part)) {
                bench.compare(problem.getKey(), problem.getValue().get());
            }
        }
        bench.write(Path.of(arguments[1]));
    }

    private void compare(String name, ObjectNode problem) throws IOException, InterruptedException {
        Path file = Files.createTempFile("problem", ".json");
        try {
            JSON.writeValue(file.toFile(), problem);
            JsonNode theirs = run(
                    oracle,
                    "-all-features",
                    "-bench",
                    "" + RUNS,
                    "-budget",
                    BUDGET.toSeconds() + "s",
                    "-timeout",
                    TIMEOUT,
                    file.toString());
            JsonNode ours = run(
                    ProcessHandle.current().info().command().orElse("java"),
                    "-cp",
                    System.getProperty("java.class.path"),
                    AllocatorBench.class.getName(),
                    "measure",
                    file.toString());
            rows.add(row(name, theirs, ours));
            System.out.println(rows.get(rows.size() - 1));
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

    /** In a process of its own: the answer, and how much memory a warm call takes. */
    private static void measure(Path file) throws IOException {
        try {
            var problem = ProblemReader.read(JSON.readTree(file.toFile()));
            var settings = new Solver.Settings(true, RUNS, BUDGET, Duration.ofSeconds(20), false);
            var solver = new Solver(new Selectors(), settings, System::nanoTime);
            var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            Answer answer = solver.solve(problem);
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            ObjectNode json = JSON.valueToTree(answer);
            new PrintStream(System.out, true, StandardCharsets.UTF_8)
                    .println(json.put("bytes", bytes / (answer.runs() + 1)));
        } catch (UnreadableProblemException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String row(String name, JsonNode theirs, JsonNode ours) {
        return "| "
                + String.join(
                        " | ",
                        List.of(
                                name,
                                outcome(theirs, ours),
                                time(theirs, "ns"),
                                time(ours, "ns"),
                                ratio(theirs, ours, "ns"),
                                time(theirs, "firstNs"),
                                time(ours, "firstNs"),
                                ratio(theirs, ours, "firstNs"),
                                steps(theirs),
                                steps(ours),
                                String.format("%,d", ours.get("bytes").asLong())))
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

    private static String time(JsonNode answer, String field) {
        return isTimedOut(answer)
                ? "> " + TIMEOUT
                : String.format("%,.1f", answer.get(field).asLong() / 1_000.0);
    }

    private static String ratio(JsonNode theirs, JsonNode ours, String field) {
        if (isTimedOut(ours)) {
            return "–";
        }
        double ratio = theirs.get(field).asDouble() / ours.get(field).asDouble();
        return (isTimedOut(theirs) ? "> " : "") + String.format("%,.1f", ratio);
    }

    private static String steps(JsonNode answer) {
        return (isTimedOut(answer) ? "≥ " : "")
                + String.format("%,d", answer.get("steps").asLong());
    }

    private void write(Path file) throws IOException {
        var lines = new ArrayList<String>(List.of(
                "# The allocator beside kube-scheduler's",
                "",
                "Written by `hack/bench`; a ratio above 1 means that this project's allocator is faster.",
                "",
                "- Upstream: `k8s.io/dynamic-resource-allocation` v0.37.1, experimental variant, through `hack/oracle`.",
                "- Here: Java " + Runtime.version() + ".",
                "- Machine: " + Runtime.getRuntime().availableProcessors() + " processors, "
                        + System.getProperty("os.name") + " " + System.getProperty("os.version") + ", "
                        + System.getProperty("os.arch") + ".",
                "- Every feature on. A process per problem and allocator; cold is its first call, warm the median of up to "
                        + RUNS + " further ones within " + BUDGET.toSeconds() + " s. A call that takes more than "
                        + TIMEOUT + " is ended.",
                "- Bytes are what a call of this project's allocator allocates, the first one included in the mean.",
                "",
                "| problem | outcome | upstream, warm (µs) | here, warm (µs) | ratio | upstream, cold (µs) | here, cold (µs) | ratio | upstream's steps | steps here | bytes here |",
                "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"));
        lines.addAll(rows);
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, lines);
    }
}
