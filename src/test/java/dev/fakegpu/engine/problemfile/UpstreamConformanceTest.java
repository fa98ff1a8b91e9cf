package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Upstream's own table of allocator cases, as data outside of this project. {@code -Dfakegpu.conformance} sets the path; the default is
 * beside the project. The test compares what upstream asserts: the outcome, the scope of an error, and the results, in any order if
 * upstream accepts any order.
 */
class UpstreamConformanceTest {

    private static final Path CASES =
            Path.of(System.getProperty("fakegpu.conformance", "../shared/conformance"), "allocator");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);

    @TestFactory
    Stream<DynamicTest> sameAnswerAsUpstream() throws IOException {
        if (!Files.isDirectory(CASES)) {
            System.out.println("Skipped: there are no conformance cases in " + CASES.toAbsolutePath());
            assumeTrue(false);
        }
        try (Stream<Path> files = Files.list(CASES)) {
            List<Path> cases = files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .toList();
            assertThat(cases).isNotEmpty();
            return cases.stream().map(file -> DynamicTest.dynamicTest(name(file), () -> check(file)));
        }
    }

    private static String name(Path file) {
        return file.getFileName().toString().replace(".json", "");
    }

    private void check(Path file) throws IOException, UnreadableProblemException {
        JsonNode problem = JSON.readTree(file.toFile());
        JsonNode expect = problem.get("expect");
        boolean inAnyOrder = expect.path("compare").asText().equals("unordered");

        Decision ours = Decision.of(solver.solve(ProblemReader.read(problem)));

        assertThat(inOrder(ours, inAnyOrder)).isEqualTo(inOrder(Decision.of(expect), inAnyOrder));
    }

    private static Decision inOrder(Decision decision, boolean inAnyOrder) {
        return inAnyOrder && decision.results() != null
                ? new Decision(decision.outcome(), decision.errorScope(), sorted(decision.results()))
                : decision;
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ArrayNode array) {
            ArrayNode copy = JsonNodeFactory.instance.arrayNode();
            StreamSupport.stream(array.spliterator(), false)
                    .map(UpstreamConformanceTest::sorted)
                    .sorted(Comparator.comparing(JsonNode::toString))
                    .forEach(copy::add);
            return copy;
        }
        if (node instanceof ObjectNode object) {
            ObjectNode copy = JsonNodeFactory.instance.objectNode();
            object.properties().stream()
                    .sorted(java.util.Map.Entry.comparingByKey())
                    .forEach(field -> copy.set(field.getKey(), sorted(field.getValue())));
            return copy;
        }
        return node;
    }
}
