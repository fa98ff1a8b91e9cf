package dev.fakegpu.cluster.preemption;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/**
 * Which pods have to go so that another one gets a place.
 *
 * @param victims the most important first
 * @param violations how many of them go although a PodDisruptionBudget does not allow it
 */
public record Preemption(String node, List<Pod> victims, int violations) {
    public Preemption {
        victims = List.copyOf(victims);
    }
}
