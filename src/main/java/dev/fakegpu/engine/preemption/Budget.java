package dev.fakegpu.engine.preemption;

import java.util.Set;

/**
 * A PodDisruptionBudget.
 *
 * @param allowed the number of its pods that may be disrupted now
 * @param pods the UIDs of the pods that it selects, without those that are already being disrupted
 */
public record Budget(int allowed, Set<String> pods) {
    public Budget {
        pods = Set.copyOf(pods);
    }
}
