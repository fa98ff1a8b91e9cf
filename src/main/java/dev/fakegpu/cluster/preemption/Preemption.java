package dev.fakegpu.cluster.preemption;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.ClaimRef;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Map;

/**
 * The pods to be preempted for another pod.
 *
 * @param victims the victims, most important first; none if the pods that have to go are already terminating
 * @param ending pods that are terminating anyway, and whose node and devices count as free
 * @param violations the number of victims whose preemption violates a PodDisruptionBudget
 * @param allocations what the other pod gets then
 */
public record Preemption(
        String node, List<Pod> victims, List<Pod> ending, int violations, Map<ClaimRef, Allocation> allocations) {
    public Preemption {
        victims = List.copyOf(victims);
        ending = List.copyOf(ending);
        allocations = Map.copyOf(allocations);
    }

    /** Whether any pod must be preempted. */
    public boolean isNeeded() {
        return !victims.isEmpty();
    }
}
