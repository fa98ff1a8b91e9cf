package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** Reads objects that a user has written and not created. */
@FunctionalInterface
public interface DraftReader {

    /** Reads none: rendering and trying them takes memory, of which a process that does other work has not enough to give away. */
    DraftReader NONE = yaml -> {
        throw new InvalidDraftException(
                List.of("YAML is not tried here; fakegpu dashboard and fakegpu what-if do so on your machine"));
    };

    /** @throws InvalidDraftException if it cannot be read */
    Draft read(String yaml);

    /**
     * A draft.
     *
     * @param objects as they are written, each with its namespace
     * @param remarks what is wrong with them, or special, one sentence each
     */
    record Draft(List<JsonNode> objects, List<String> remarks) {
        public Draft {
            objects = List.copyOf(objects);
            remarks = List.copyOf(remarks);
        }
    }

    /** What was written cannot be read. */
    final class InvalidDraftException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        /** @param messages for the user, one problem each */
        public InvalidDraftException(List<String> messages) {
            super(String.join("\n", messages));
        }
    }
}
