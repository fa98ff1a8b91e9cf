package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Reads drafts, which are objects that a user has written but not created. */
@FunctionalInterface
public interface DraftReader {

    /** Refuses all drafts: rendering and trying them takes memory, which a process with other work cannot spare. */
    DraftReader NONE = yaml -> {
        throw new InvalidDraftException(
                List.of("YAML is not tried here; fakegpu dashboard and fakegpu what-if do so on your machine"));
    };

    /** @throws InvalidDraftException if the draft cannot be read */
    Draft read(String yaml);

    /**
     * A draft.
     *
     * @param objects the objects as written, each with its namespace
     * @param remarks their problems or special properties, one sentence each
     */
    record Draft(List<JsonNode> objects, List<String> remarks) {
        public Draft {
            objects = List.copyOf(objects);
            remarks = List.copyOf(remarks);
        }
    }

    /** Thrown if the text cannot be read. */
    final class InvalidDraftException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** @param messages the messages for the user, one for each problem */
        public InvalidDraftException(List<String> messages) {
            super(String.join("\n", messages));
        }
    }
}
