package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import java.util.List;
import java.util.Map;

/** Which pods must be evicted. */
public sealed interface PreemptionOutcome {

    /**
     * These victims on the best node.
     *
     * @param victims the victims, the most important first
     * @param violations the number of pods that are evicted although a budget does not allow it
     * @param allocations what the waiting pod gets then
     */
    record Found(String node, List<Victim> victims, int violations, Map<ClaimRef, Allocation> allocations)
            implements PreemptionOutcome {
        public Found {
            victims = List.copyOf(victims);
            allocations = Map.copyOf(allocations);
        }
    }

    /** No pods: the waiting pod fits without preemption. */
    record NotNeeded(String node, Map<ClaimRef, Allocation> allocations) implements PreemptionOutcome {
        public NotNeeded {
            allocations = Map.copyOf(allocations);
        }
    }

    /** Evicting all possible victims would not help. */
    record NoHelp() implements PreemptionOutcome {}

    /** A limit was reached before there was an answer. */
    record Aborted(String message) implements PreemptionOutcome {}
}
