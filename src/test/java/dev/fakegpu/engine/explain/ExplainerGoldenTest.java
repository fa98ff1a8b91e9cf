package dev.fakegpu.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.finding.Explanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * For each {@code src/test/resources/golden/explain/<case>/in.yaml}, an {@link ExplainedScenario}, the explanation must be {@code out.txt}:
 * the reason, followed by the sentence for the scenario's reader; and {@code table.txt}, which has all names. {@code -Dgolden.update=true}
 * rewrites the outputs and fails.
 */
public class ExplainerGoldenTest {

    static final Path CASES = Path.of("src/test/resources/golden/explain");

    public static List<Path> cases() throws IOException {
        try (Stream<Path> directories = Files.list(CASES)) {
            return directories.sorted().toList();
        }
    }

    @TestFactory
    Stream<DynamicTest> explainsAsWritten() throws IOException {
        assertThat(cases()).hasSizeGreaterThanOrEqualTo(60);
        return cases().stream()
                .map(directory ->
                        DynamicTest.dynamicTest(directory.getFileName().toString(), () -> check(directory)));
    }

    private static void check(Path directory) throws IOException {
        ExplainedScenario scenario = ExplainedScenario.read(directory.resolve("in.yaml"));
        Explanation explanation = scenario.explain();
        String sentence = explanation.sentence(scenario.reader());

        assertThat(sentence).hasSizeLessThanOrEqualTo(Explanation.MAX_SENTENCE);
        compare(directory.resolve("out.txt"), explanation.reason() + "\n" + sentence + "\n");
        compare(directory.resolve("table.txt"), String.join("\n", explanation.table()) + "\n");
    }

    private static void compare(Path expected, String actual) throws IOException {
        String known = Files.exists(expected) ? Files.readString(expected) : "";
        if (Boolean.getBoolean("golden.update") && !actual.equals(known)) {
            Files.writeString(expected, actual);
            throw new AssertionError("wrote " + expected + "; read it and run again without -Dgolden.update");
        }
        assertThat(actual).isEqualTo(known);
    }
}
