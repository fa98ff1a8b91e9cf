package dev.fakegpu.publish;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.inventory.InventoryPlan;
import dev.fakegpu.slices.PoolTarget;
import dev.fakegpu.slices.ServedFields;
import dev.fakegpu.slices.SliceField;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pools of a FakeGpu for which nothing was left to do. While all that they depend on stays the same they need not be looked into:
 * each claim that is allocated somewhere makes its FakeGpu be reconciled, and that may have thousands of pools.
 */
final class UpToDatePools {

    private final Basis basis;
    private final Map<PoolId, Settled> pools = new HashMap<>();

    UpToDatePools(Basis basis) {
        this.basis = basis;
    }

    /** What all pools of a FakeGpu depend on. */
    record Basis(InventoryPlan plan, ServedFields served, GroupPublishing groups) {}

    /**
     * What one of them depends on beside that.
     *
     * @param slices the stored ones, as {@code uid/resourceVersion}
     * @param holders the claims that hold each device in use
     */
    record Dependencies(PoolTarget target, Set<String> slices, Map<String, Set<String>> holders) {}

    /**
     * What a pool has to tell.
     *
     * @param missing what its slices would have, and the API server does not keep
     * @param usesGroups whether any of its devices has groups
     * @param pending devices that stay as they were until they are released, as {@code <device> in <pool> (<claims>)}
     * @param withheld how many devices wait for those
     */
    record Outcome(Set<SliceField> missing, boolean usesGroups, List<String> pending, int withheld) {}

    private record Settled(Dependencies dependencies, Outcome outcome) {}

    boolean dependOn(Basis now) {
        return basis.equals(now);
    }

    Optional<Outcome> outcome(PoolId pool, Dependencies now) {
        return Optional.ofNullable(pools.get(pool))
                .filter(settled -> settled.dependencies().equals(now))
                .map(Settled::outcome);
    }

    void settle(PoolId pool, Dependencies dependencies, Outcome outcome) {
        pools.put(pool, new Settled(dependencies, outcome));
    }

    void forget(PoolId pool) {
        pools.remove(pool);
    }
}
