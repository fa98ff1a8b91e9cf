package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.problemfile.corpus.Corpus;
import dev.fakegpu.testing.Prerequisite;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Problems made by hand, with the answers of upstream's allocator, and the smallest of those about which both once disagreed. After
 * a change to {@link Corpus}, {@code -Dfakegpu.corpus.write=true} asks upstream and writes them anew.
 */
class AllocatorCorpusTest {

    private static final Path FILES = ProjectFiles.resolve("src/test/resources/allocator-corpus");
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<JsonNode> PROBLEMS = readAll();

    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);

    /** For mutation testing all at once: the first difference says all there, and each test by itself costs too much. */
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
    void filesHaveTheProblemsOfTheCorpus() {
        Corpus.topics().forEach((topic, problems) -> {
            List<String> written = read(FILES.resolve(topic + ".jsonl"))
                    .map(problem -> ((ObjectNode) problem).without("expect").toString())
                    .toList();
            assertThat(written)
                    .as(topic)
                    .isEqualTo(problems.stream().map(ObjectNode::toString).toList());
        });
    }

    @Test
    void namesAreUnique() {
        var names = new HashSet<String>();
        Corpus.topics().values().stream()
                .flatMap(List::stream)
                .map(problem -> problem.get("name").asText())
                .forEach(name -> assertThat(names.add(name)).as(name).isTrue());
    }

    @Test
    @EnabledIfSystemProperty(named = "fakegpu.corpus.write", matches = "true")
    void writeAnswersOfUpstream() throws IOException, InterruptedException {
        var started = Oracle.start();
        Prerequisite.require(started.isPresent(), "hack/oracle/build failed");
        try (Oracle oracle = started.get()) {
            for (Map.Entry<String, List<ObjectNode>> topic : Corpus.topics().entrySet()) {
                var lines = new ArrayList<String>();
                topic.getValue()
                        .forEach(problem -> lines.add(answered(oracle, problem).toString()));
                Files.write(FILES.resolve(topic.getKey() + ".jsonl"), lines);
            }
        }
    }

    private static ObjectNode answered(Oracle oracle, ObjectNode problem) {
        JsonNode answer = oracle.ask(problem);
        ObjectNode expect = JSON.createObjectNode();
        for (String field : List.of("outcome", "errorScope", "error", "steps", "results")) {
            if (answer.has(field)) {
                expect.set(field, answer.get(field));
            }
        }
        return problem.deepCopy().set("expect", expect);
    }

    private static List<JsonNode> readAll() {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .flatMap(AllocatorCorpusTest::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<JsonNode> read(Path file) {
        try {
            return Files.readAllLines(file).stream().map(AllocatorCorpusTest::parse);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
