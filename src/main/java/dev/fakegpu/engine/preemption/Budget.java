package dev.fakegpu.engine.preemption;

import java.util.Set;

/**
 * A PodDisruptionBudget.
 *
 * @param allowed how many of its pods may be disrupted now
 * @param pods UIDs of those that it selects, without those that are being disrupted already
 */
public record Budget(int allowed, Set<String> pods) {
    public Budget {
        pods = Set.copyOf(pods);
    }
}
