package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import java.util.List;
import java.util.Map;

/** Who has to go. */
public sealed interface PreemptionOutcome {

    /**
     * These, on the node that is best for that.
     *
     * @param victims the most important first
     * @param violations how many pods go although a budget does not allow it
     * @param allocations what the waiting pod gets then
     */
    record Found(String node, List<Victim> victims, int violations, Map<ClaimRef, Allocation> allocations)
            implements PreemptionOutcome {
        public Found {
            victims = List.copyOf(victims);
            allocations = Map.copyOf(allocations);
        }
    }

    /** Nobody: there is a place without that. */
    record NotNeeded(String node, Map<ClaimRef, Allocation> allocations) implements PreemptionOutcome {
        public NotNeeded {
            allocations = Map.copyOf(allocations);
        }
    }

    /** It would not help if all went that may have to. */
    record NoHelp() implements PreemptionOutcome {}

    /** A limit was reached before there was an answer. */
    record Aborted(String message) implements PreemptionOutcome {}
}
