package dev.fakegpu.publish;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.inventory.InventoryPlan;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.ServedFields;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Remembers the pools of one FakeGpu that needed no write, with the inputs of that finding. As long as the inputs are the same, such a
 * pool is skipped: every claim that is allocated anywhere on a FakeGpu reconciles it, and it may have thousands of pools.
 */
final class UpToDatePools {

    private final SharedInputs shared;
    private final Map<PoolId, Entry> pools = new HashMap<>();

    UpToDatePools(SharedInputs shared) {
        this.shared = shared;
    }

    /** What all pools of the FakeGpu depend on. */
    record SharedInputs(InventoryPlan plan, ServedFields served, GroupPublishing groups) {}

    /**
     * What a single pool depends on in addition.
     *
     * @param slices the stored slices, as {@code uid/resourceVersion}
     * @param claims the claims that hold each device in use
     */
    record PoolInputs(PoolTarget target, Set<String> slices, Map<String, Set<String>> claims) {}

    private record Entry(PoolInputs inputs, PoolOutcome outcome) {}

    SharedInputs shared() {
        return shared;
    }

    /** The outcome when the pool was last found up to date; empty if its inputs have changed since. */
    Optional<PoolOutcome> outcome(PoolId pool, PoolInputs inputs) {
        return Optional.ofNullable(pools.get(pool))
                .filter(entry -> entry.inputs().equals(inputs))
                .map(Entry::outcome);
    }

    void remember(PoolId pool, PoolInputs inputs, PoolOutcome outcome) {
        pools.put(pool, new Entry(inputs, outcome));
    }

    void forget(PoolId pool) {
        pools.remove(pool);
    }
}
