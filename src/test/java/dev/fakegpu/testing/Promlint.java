package dev.fakegpu.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Prometheus' own check of metrics and its parser of queries, in {@code hack/promlint}, which is built the first time. */
public final class Promlint {

    private Promlint() {}

    /** The problems of metrics in the text format, as {@code promtool check metrics} finds them. */
    public static List<String> problems(String metrics) {
        return run(metrics, program(), "metrics").lines().toList();
    }

    /** The metrics and labels in each query, as {@code {"metrics": {NAME: [LABEL…]}}}. */
    public static List<String> read(List<String> queries) {
        return run(String.join("\n", queries) + "\n", program(), "queries")
                .lines()
                .toList();
    }

    private static String program() {
        String build = ProjectFiles.resolve("hack/promlint/build").toString();
        return run("", build).lines().reduce("", (before, last) -> last);
    }

    /** Returns the output of the program, which is not empty if there are problems; skips the test if the program cannot be built. */
    private static String run(String input, String... command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exitCode = process.waitFor();
            Prerequisite.require(exitCode == 0 || command.length > 1, output);
            return output;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: " + List.of(command), e);
        }
    }
}
