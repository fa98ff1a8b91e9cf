package dev.fakegpu.cluster.preemption;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;

/**
 * Which pods have to go so that another one gets a place.
 *
 * @param victims the most important first; none if all that have to go do so anyway
 * @param ending pods that do so anyway, and whose node and devices count as free
 * @param violations how many of them go although a PodDisruptionBudget does not allow it
 * @param allocations what the other one gets then
 */
public record Preemption(
        String node, List<Pod> victims, List<Pod> ending, int violations, Map<ClaimRef, Allocation> allocations) {
    public Preemption {
        victims = List.copyOf(victims);
        ending = List.copyOf(ending);
        allocations = Map.copyOf(allocations);
    }

    /** Whether anybody has to be told. */
    public boolean isNeeded() {
        return !victims.isEmpty();
    }
}
