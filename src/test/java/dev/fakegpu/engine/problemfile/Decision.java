package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;

/**
 * The part of an answer in which allocators must agree. Error messages are not included: if there are several errors, it is random which
 * one upstream reports.
 *
 * @param results null if nothing was allocated
 */
record Decision(String outcome, String errorScope, JsonNode results) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** If upstream crashes, an error is expected. */
    static Decision of(JsonNode answer) {
        if (answer.get("outcome").asText().equals("panic")) {
            return new Decision("error", "fatal", null);
        }
        return read(answer);
    }

    /** If this project's allocator crashes, the decision equals no other. */
    static Decision of(ProblemAnswer answer) {
        try {
            return read(JSON.readTree(JSON.writeValueAsString(answer)));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Decision read(JsonNode answer) {
        return new Decision(
                answer.get("outcome").asText(), answer.path("errorScope").asText(), answer.get("results"));
    }

    /** Whether both differ from a third decision in the same way, regardless of the names of devices. */
    boolean isSameKindAs(Decision other) {
        return outcome.equals(other.outcome) && errorScope.equals(other.errorScope);
    }
}
