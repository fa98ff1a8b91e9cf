package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.problemfile.AllocationProblem;
import dev.fakegpu.engine.problemfile.ProblemReader;
import dev.fakegpu.testing.ProjectFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Searches that look ahead from the start give the same answers as searches that never do. The problems are small and always the same, so
 * that mutation testing can use them; {@link AllocatorInvariantsTest} has more problems.
 */
class LookingAheadTest {

    private static final Path CORPUS = ProjectFiles.resolve("src/test/resources/allocator-corpus");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int RANDOM_PROBLEMS = 50;
    private static final int MOST_STEPS = 20_000;

    @Test
    void lookingAheadChangesNoAnswerOfTheCorpus() throws Exception {
        for (GroupPolicy policy : GroupPolicy.values()) {
            for (AllocationProblem problem : corpus()) {
                var allocator = new Allocator(AllocationContext.of(
                        problem.state(), Hardware.SELECTORS, Hardware.options(GroupsGate.ON, policy)));
                assertSameAnswer(problem.name() + ", " + policy, allocator, problem.node(), problem.claims());
            }
        }
    }

    @Test
    void lookingAheadChangesNoAnswerToRandomProblems() {
        for (long seed = 1; seed <= RANDOM_PROBLEMS; seed++) {
            var problem = RandomProblem.of(seed);
            assertSameAnswer("seed " + seed, problem.allocator(), problem.node(), problem.claims());
        }
    }

    private static void assertSameAnswer(String problem, Allocator allocator, NodeInfo node, List<Claim> claims) {
        Outcome never = allocator.allocate(node, claims, steps(), Integer.MAX_VALUE);
        if (!(never instanceof Outcome.Aborted)) {
            Outcome ahead = allocator.allocate(node, claims, steps(), 0);
            assertThat(withoutShareIds(ahead)).as(problem).isEqualTo(withoutShareIds(never));
        }
    }

    /** The outcome without share IDs, which are random. */
    private static String withoutShareIds(Outcome outcome) {
        return outcome.toString().replaceAll("Share\\[id=[0-9a-f-]{36}", "Share[id=");
    }

    private static SearchLimit steps() {
        int[] asked = {0};
        return () -> asked[0]++ > MOST_STEPS ? "too many steps" : null;
    }

    private static List<AllocationProblem> corpus() throws Exception {
        var problems = new ArrayList<AllocationProblem>();
        try (Stream<Path> files = Files.list(CORPUS)) {
            for (Path file : files.sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    JsonNode json = JSON.readTree(line);
                    problems.add(ProblemReader.read(json));
                }
            }
        }
        return problems;
    }
}
