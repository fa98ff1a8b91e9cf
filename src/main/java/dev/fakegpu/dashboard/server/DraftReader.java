package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.whatif.ChangedCluster;
import java.util.List;

/** Reads objects that a user has written and not created. */
@FunctionalInterface
public interface DraftReader {

    /** Reads none: rendering and trying them takes memory, of which a process that does other work has not enough to give away. */
    DraftReader NONE = (yaml, cluster) -> {
        throw new InvalidDraftException(
                List.of("YAML is not tried here; fakegpu dashboard and fakegpu what-if do so on your machine"));
    };

    /** @throws InvalidDraftException if it cannot be read */
    Draft read(String yaml, ClusterSnapshot cluster);

    /**
     * A draft.
     *
     * @param changed the cluster with its objects
     * @param remarks what is wrong with them, or special, one sentence each
     */
    record Draft(ChangedCluster changed, List<String> remarks) {
        public Draft {
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
