package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.UncheckedIOException;

/**
 * The part of an answer in which allocators have to agree. Texts of errors are not: where several things are wrong it is chance
 * which one upstream names.
 *
 * @param results null where nothing was allocated
 */
record Decision(String outcome, String errorScope, JsonNode results) {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Where upstream breaks there has to be an error. */
    static Decision of(JsonNode answer) {
        if (answer.get("outcome").asText().equals("panic")) {
            return new Decision("error", "fatal", null);
        }
        return read(answer);
    }

    /** An allocator of ours that breaks agrees with nobody. */
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

    /** Whether both disagree with somebody else in the same way, whatever the devices are called. */
    boolean isSameKindAs(Decision other) {
        return outcome.equals(other.outcome) && errorScope.equals(other.errorScope);
    }
}
