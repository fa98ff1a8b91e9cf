package dev.fakegpu.engine.problemfile.referee;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JudgeTest {

    private static final String PROBLEM = """
            {"slices": [{"spec": {"driver": "d", "pool": {"name": "p"}, "devices": [{"name": "a"}, {"name": "b"}, {"name": "held"}]}}],
             "claims": [{"spec": {"devices": {"requests": [{"name": "r", "exactly": {"allocationMode": "%s"}}]}}}],
             "state": {"devices": [{"driver": "d", "pool": "p", "device": "held"}]}}""";

    private final List<JsonNode> asked = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "allocated, none, MISSES",
        "allocated, error, REFUSES",
        "allocated, invalid, REFUSES",
        "allocated, panic, CRASHES",
        "none, allocated, GIVES",
        "error, allocated, GIVES",
        "none, none, SAME",
        "none, error, SAME",
        "error, none, SAME",
    })
    void outcomesAreCompared(String right, String answer, Verdict verdict) throws JsonProcessingException {
        assertThat(judge("none", "ExactCount", outcome(right), outcome(answer))).isEqualTo(verdict);
    }

    @Test
    void sameDevicesMayBeInAnotherOrder() throws JsonProcessingException {
        assertThat(judge("none", "ExactCount", allocated("a", "b"), allocated("b", "a")))
                .isEqualTo(Verdict.SAME);
    }

    @Test
    void otherDevicesAreRightIfTheReferenceAllocatesThemAlone() throws JsonProcessingException {
        assertThat(judge("allocated", "ExactCount", allocated("a"), allocated("b")))
                .isEqualTo(Verdict.OTHER_DEVICES);
        assertThat(asked)
                .singleElement()
                .satisfies(problem -> assertThat(
                                problem.at("/slices/0/spec/devices").findValuesAsText("name"))
                        .containsExactly("b", "held"));
        assertThat(judge("none", "ExactCount", allocated("a"), allocated("b"))).isEqualTo(Verdict.WRONG_DEVICES);
    }

    @Test
    void otherDevicesAreWrongInModeAll() throws JsonProcessingException {
        assertThat(judge("allocated", "All", allocated("a", "b"), allocated("b")))
                .isEqualTo(Verdict.WRONG_DEVICES);
    }

    @Test
    void aTimeoutIsNoAnswer() throws JsonProcessingException {
        JsonNode late = read("{\"outcome\": \"error\", \"timedOut\": true}");

        assertThat(judge("none", "ExactCount", outcome("none"), late)).isEqualTo(Verdict.NO_ANSWER);
    }

    private Verdict judge(String reference, String mode, JsonNode right, JsonNode answer)
            throws JsonProcessingException {
        var judge = new Judge(problem -> {
            asked.add(problem);
            return outcome(reference);
        });
        return judge.judge((ObjectNode) read(PROBLEM.formatted(mode)), right, answer);
    }

    private static JsonNode outcome(String outcome) {
        return new ObjectMapper().createObjectNode().put("outcome", outcome);
    }

    private static JsonNode allocated(String... devices) {
        ObjectNode answer = new ObjectMapper().createObjectNode().put("outcome", "allocated");
        var results =
                answer.putArray("results").addObject().putObject("devices").putArray("results");
        for (String device : devices) {
            results.addObject()
                    .put("driver", "d")
                    .put("pool", "p")
                    .put("device", device)
                    .put("request", "r");
        }
        return answer;
    }

    private static JsonNode read(String json) throws JsonProcessingException {
        return new ObjectMapper().readTree(json);
    }
}
