package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.testing.Prerequisite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares this project's allocator with upstream's for random problems. Problems with different answers are printed after they have been
 * made as small as possible.
 *
 * <p>{@code -Dfakegpu.differential.problems=N} and {@code -Dfakegpu.differential.seed=S} set the number of problems and the first seed;
 * {@code -Dfakegpu.differential.file=F} also writes the differences to a file. See {@code hack/differential}.
 */
@Tag("long")
class DifferentialTest {

    private static final int PROBLEMS = Integer.getInteger("fakegpu.differential.problems", 3_000);
    private static final long SEED = Long.getLong("fakegpu.differential.seed", 1);
    private static final String FILE = System.getProperty("fakegpu.differential.file");
    private static final int MAX_SHRUNK = Integer.getInteger("fakegpu.differential.shrunk", 10);
    private static final int PROGRESS_EVERY = 10_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);
    private final TreeMap<String, Integer> counts = new TreeMap<>();
    private int disagreements;

    @Test
    void agreesWithUpstream() throws IOException, InterruptedException {
        Optional<Oracle> started = Oracle.start("-timeout", "2s");
        Prerequisite.require(started.isPresent(), "hack/oracle/build failed");
        System.out.println("Differential: " + PROBLEMS + " problems from seed " + SEED);
        try (Oracle oracle = started.get()) {
            for (int i = 0; i < PROBLEMS; i++) {
                compare(oracle, ProblemGenerator.generate(SEED + i));
                if ((i + 1) % PROGRESS_EVERY == 0) {
                    System.out.println("  " + (i + 1) + ": " + counts + ", disagreements: " + disagreements);
                }
            }
        }
        System.out.println("Differential: " + counts + ", disagreements: " + disagreements);
        assertThat(disagreements).as("disagreements, from seed %s", SEED).isZero();
    }

    private void compare(Oracle oracle, ObjectNode problem) {
        oracle.send(problem);
        Decision ours = ours(problem);
        JsonNode answer = oracle.receive();
        count(problem, answer);
        if (isTimedOut(answer) || Decision.of(answer).equals(ours)) {
            return;
        }
        disagreements++;
        if (disagreements <= MAX_SHRUNK) {
            report(
                    oracle,
                    new Shrinker(smaller -> isSameDisagreement(oracle, smaller, Decision.of(answer), ours))
                            .shrink(problem));
        }
    }

    private Decision ours(ObjectNode problem) {
        return Decision.of(answer(problem));
    }

    private ProblemAnswer answer(ObjectNode problem) {
        try {
            return solver.solve(ProblemReader.read(problem));
        } catch (UnreadableProblemException e) {
            return Solver.invalid(e.problem(), String.valueOf(e.getMessage()));
        }
    }

    private static boolean isTimedOut(JsonNode answer) {
        return answer.path("timedOut").asBoolean();
    }

    private boolean isSameDisagreement(Oracle oracle, ObjectNode problem, Decision upstream, Decision ours) {
        JsonNode answer = oracle.ask(problem);
        Decision newUpstream = Decision.of(answer);
        Decision newOurs = ours(problem);
        return !isTimedOut(answer)
                && !newUpstream.equals(newOurs)
                && newUpstream.isSameKindAs(upstream)
                && newOurs.isSameKindAs(ours);
    }

    private void report(Oracle oracle, ObjectNode problem) {
        ProblemAnswer ours = answer(problem);
        JsonNode upstream = oracle.ask(problem);
        try {
            System.out.println("Disagreement: " + problem
                    + "\n  upstream: " + upstream
                    + "\n  here:     " + JSON.writeValueAsString(ours));
            if (FILE != null) {
                Files.writeString(Path.of(FILE), problem + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void count(JsonNode problem, JsonNode answer) {
        add(isTimedOut(answer) ? "timed out" : answer.get("outcome").asText());
        if (answer.get("steps").asLong() > smallestSteps(problem, answer)) {
            add("backtracking");
        }
    }

    private void add(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** The number of steps of a search without backtracking: one for each device, request, alternative and claim, and one at the end. */
    private static long smallestSteps(JsonNode problem, JsonNode answer) {
        long steps = 1 + problem.get("claims").size();
        for (JsonNode claim : problem.get("claims")) {
            for (JsonNode request : claim.get("spec").get("devices").path("requests")) {
                steps += 1 + request.path("firstAvailable").size();
            }
        }
        for (JsonNode result : answer.path("results")) {
            steps += result.get("devices").path("results").size();
        }
        return steps;
    }
}
