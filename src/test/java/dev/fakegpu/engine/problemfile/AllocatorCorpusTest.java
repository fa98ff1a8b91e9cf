package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.testing.Prerequisite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Tests handmade problems with the answers of upstream's allocator, and reduced problems about which both allocators once disagreed. After
 * a change to a file, {@code -Dfakegpu.corpus.write=true} runs upstream and writes its answers.
 */
class AllocatorCorpusTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<ObjectNode> PROBLEMS = AllocatorCorpus.problems().toList();

    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);

    /** Mutation testing uses a single test for all problems, because the first difference is enough, and separate tests take too long. */
    @TestFactory
    Stream<DynamicTest> sameAnswerAsUpstream() {
        if (Boolean.getBoolean("fakegpu.corpus.atOnce")) {
            return Stream.of(DynamicTest.dynamicTest("all", () -> {
                for (JsonNode problem : PROBLEMS) {
                    check(problem);
                }
            }));
        }
        return PROBLEMS.stream()
                .map(problem -> DynamicTest.dynamicTest(problem.get("name").asText(), () -> check(problem)));
    }

    private void check(JsonNode problem) throws UnreadableProblemException {
        Decision ours = Decision.of(solver.solve(ProblemReader.read(problem)));

        assertThat(ours).as(problem.get("note").asText()).isEqualTo(Decision.of(problem.get("expect")));
    }

    @Test
    void namesAreUnique() {
        assertThat(PROBLEMS).extracting(problem -> problem.get("name").asText()).doesNotHaveDuplicates();
    }

    @Test
    @EnabledIfSystemProperty(named = "fakegpu.corpus.write", matches = "true")
    void writeAnswersOfUpstream() throws IOException, InterruptedException {
        var started = Oracle.start();
        Prerequisite.require(started.isPresent(), "hack/oracle/build failed");
        try (Oracle oracle = started.get()) {
            for (Path file : AllocatorCorpus.files()) {
                var lines = new ArrayList<String>();
                AllocatorCorpus.read(file)
                        .forEach(problem -> lines.add(answered(oracle, problem).toString()));
                Files.write(file, lines);
            }
        }
    }

    private static ObjectNode answered(Oracle oracle, ObjectNode problem) {
        JsonNode answer = oracle.ask(problem.without("expect"));
        ObjectNode expect = JSON.createObjectNode();
        for (String field : List.of("outcome", "errorScope", "error", "steps", "results")) {
            if (answer.has(field)) {
                expect.set(field, answer.get(field));
            }
        }
        return problem.deepCopy().set("expect", expect);
    }
}
