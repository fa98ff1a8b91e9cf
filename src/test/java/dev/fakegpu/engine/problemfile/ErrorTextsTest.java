package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.testing.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The error messages of this project's allocator for the problems of the corpus, each with one of the problems. {@code
 * -Dgolden.update=true} rewrites the file and fails, because the new text needs a review.
 */
class ErrorTextsTest {

    private static final Path FILE = ProjectFiles.resolve("src/test/resources/golden/allocator-errors.txt");

    @Test
    void errorsHaveTheStoredTexts() throws IOException, UnreadableProblemException {
        var solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);
        Map<String, String> nameByText = new LinkedHashMap<>();
        for (ObjectNode problem : AllocatorCorpus.problems().toList()) {
            ProblemAnswer answer = solver.solve(ProblemReader.read(problem));
            if (answer.error() != null) {
                nameByText.putIfAbsent(answer.error(), answer.name());
            }
        }
        var texts = new StringBuilder();
        nameByText.forEach(
                (text, name) -> texts.append(name).append("\n    ").append(text).append('\n'));
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(FILE, texts);
            fail(FILE + " is written anew; review it and run again without golden.update");
        }
        assertThat(texts).hasToString(Files.readString(FILE));
    }
}
