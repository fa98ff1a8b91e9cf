package dev.fakegpu.engine.explain.finding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.explain.ExplainerGoldenTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences stay short, so that events can be read at a glance. {@code fakegpu explain} shows all other details. */
class SentenceLengthTest {

    @Test
    void nearlyAllSentencesAreShort() throws IOException {
        List<Path> cases = ExplainerGoldenTest.cases();
        var tooLong = new ArrayList<String>();
        for (Path each : cases) {
            String sentence = Files.readString(each.resolve("out.txt")).strip();
            sentence = sentence.substring(sentence.indexOf('\n') + 1);
            if (sentence.length() > Explanation.BRIEF) {
                tooLong.add(sentence.length() + " " + each.getFileName());
            }
        }
        assertThat(tooLong).hasSizeLessThanOrEqualTo(cases.size() / 20);
    }
}
