package dev.fakegpu.engine.problemfile.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.AllocationProblem;
import dev.fakegpu.engine.problemfile.ProblemAnswer;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.engine.problemfile.Solver;
import dev.fakegpu.engine.problemfile.UnreadableProblemException;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The number of search steps for each hard problem. If looking ahead becomes less effective, the answers stay the same but take longer,
 * which no other test notices. {@code -Dgolden.update=true} rewrites the file and fails, because the new text needs a review.
 */
class SearchStepsTest {

    private static final Path FILE = ProjectFiles.resolve("src/test/resources/golden/search-steps.txt");
    private static final Solver.Settings SETTINGS =
            new Solver.Settings(true, 1, Duration.ZERO, Duration.ofSeconds(10), false);
    private static final List<AllocationProblem> PROBLEMS = hardProblems();

    private static List<AllocationProblem> hardProblems() {
        var problems = new ArrayList<AllocationProblem>();
        BenchProblems.all().forEach((name, problem) -> {
            if (!name.startsWith("e-nodes") && !name.startsWith("g-last")) {
                problems.add(read(problem.get()));
            }
        });
        return problems;
    }

    private static AllocationProblem read(JsonNode problem) {
        try {
            return ProblemReader.read(problem);
        } catch (UnreadableProblemException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void problemsTakeTheStoredNumberOfSteps() throws IOException {
        var solver = new Solver(new Selectors(), SETTINGS, System::nanoTime);
        var lines = new StringBuilder();
        for (AllocationProblem problem : PROBLEMS) {
            ProblemAnswer answer = solver.solve(problem);
            lines.append("%-40s %-10s %d%n".formatted(answer.name(), answer.outcome(), answer.steps()));
        }
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(FILE, lines);
            fail(FILE + " is written anew; review it and run again without golden.update");
        }
        assertThat(lines).hasToString(Files.readString(FILE));
    }
}
