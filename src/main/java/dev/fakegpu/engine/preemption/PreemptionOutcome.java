package dev.fakegpu.engine.preemption;

import java.util.List;

/** Who has to go. */
public sealed interface PreemptionOutcome {

    /**
     * These, on the node that is best for that.
     *
     * @param victims the most important first
     * @param violations how many pods go although a budget does not allow it
     */
    record Found(String node, List<Victim> victims, int violations) implements PreemptionOutcome {
        public Found {
            victims = List.copyOf(victims);
        }
    }

    /** Nobody: there is a place without that. */
    record NotNeeded(String node) implements PreemptionOutcome {}

    /** It would not help if all went that may have to. */
    record NoHelp() implements PreemptionOutcome {}

    /** A limit was reached before there was an answer. */
    record Aborted(String message) implements PreemptionOutcome {}
}
