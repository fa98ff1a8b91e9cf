package dev.fakegpu.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.fakegpu.cel.Selectors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The answers to some hundred random problems, one line each, as they were when {@link DifferentialTest} found no disagreement with
 * upstream: what can be had of that where there is no oracle. {@code -Dgolden.update=true} writes them anew and fails; do that when
 * the generator changes, and run {@code hack/differential} before.
 */
class RecordedAnswersTest {

    private static final Path ANSWERS = Path.of("src/test/resources/problems/answers.txt");
    private static final int PROBLEMS = 800;
    private static final int DIGITS = 12;

    private final ObjectMapper sorting = JsonMapper.builder()
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .build();
    private final Solver solver = new Solver(new Selectors(), Solver.Settings.ONCE, System::nanoTime);

    @Test
    void answersAsRecorded() throws IOException {
        List<String> answers =
                LongStream.range(0, PROBLEMS).mapToObj(this::answer).toList();
        if (Boolean.getBoolean("golden.update")) {
            Files.write(ANSWERS, answers);
            fail("answers were written anew: read the difference");
        }
        assertThat(answers).isEqualTo(Files.readAllLines(ANSWERS));
    }

    private String answer(long seed) {
        try {
            Decision decision = Decision.of(solver.solve(ProblemReader.read(ProblemGenerator.generate(seed))));
            return seed + " " + decision.outcome() + " " + decision.errorScope() + digest(decision.results());
        } catch (UnreadableProblemException | JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** Short, and the same for the same content in whichever order. */
    private String digest(JsonNode results) throws JsonProcessingException {
        return results == null
                ? ""
                : sha256(sorting.writeValueAsString(sorting.treeToValue(results, Object.class)))
                        .substring(0, DIGITS);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
