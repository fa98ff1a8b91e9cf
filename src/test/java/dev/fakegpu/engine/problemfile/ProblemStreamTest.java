package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.mixin.MixinsGate;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProblemStreamTest {

    private static final String A = "{\"name\":\"a\",\"node\":{}}";
    private static final String B = "{\"name\":\"b\",\"node\":{}}";

    /** The names of the problems in a text, with a question mark for an unreadable one. */
    private static List<String> names(String text) throws IOException {
        var stream = new ProblemStream(new StringReader(text), MixinsGate.OFF);
        var names = new ArrayList<String>();
        while (true) {
            try {
                Optional<AllocationProblem> problem = stream.next();
                if (problem.isEmpty()) {
                    return names;
                }
                names.add(problem.get().name());
            } catch (UnreadableProblemException e) {
                names.add("?" + e.problem());
            }
        }
    }

    @Test
    void readsValuesRegardlessOfWhatSeparatesThem() throws IOException {
        assertThat(names("")).isEmpty();
        assertThat(names(A)).containsExactly("a");
        assertThat(names(A + "\n\n" + B + "\n")).containsExactly("a", "b");
        assertThat(names(A + B + "  " + A)).containsExactly("a", "b", "a");
        assertThat(names("{\n  \"name\": \"a\",\n  \"node\": {}\n}\n" + B)).containsExactly("a", "b");
    }

    @Test
    void readsLinesLongerThanAnyBuffer() throws IOException {
        String longName = "x".repeat(100_000);

        assertThat(names(A.replace("\"a\"", "\"" + longName + "\"") + "\n" + B)).containsExactly(longName, "b");
    }

    @Test
    void continuesAfterLinesThatAreNotJson() throws IOException {
        assertThat(names("nonsense\nmore nonsense\n" + A)).containsExactly("?", "?", "a");
        assertThat(names(A.replace("}}", "}]") + "\n" + B)).containsExactly("?", "b");
    }

    @Test
    void continuesAfterATruncatedLine() throws IOException {
        assertThat(names(A.substring(0, 12) + "\n" + B + "\n" + A)).containsExactly("?", "b", "a");
    }

    @Test
    void continuesAfterABrokenValueOfSeveralLines() throws IOException {
        assertThat(names("{\n  \"name\": \"x\"\n  \"node\": {}\n}\n" + B)).containsExactly("?", "b");
    }

    @Test
    void saysWhichProblemHasAnotherShape() throws IOException {
        assertThat(names("{\"name\":\"x\"}\n{\"name\":\"y\",\"node\":{},\"slices\":[7]}\n17\n" + A))
                .containsExactly("?x", "?y", "?", "a");
    }
}
