package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.InventoryPlan;
import dev.fakegpu.hardware.inventory.NodeInventories;
import dev.fakegpu.hardware.slices.PoolTarget;
import dev.fakegpu.hardware.slices.ServedFields;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Caches which pools of one FakeGpu needed no write, together with the inputs. While the inputs are the same, such a pool is skipped: each
 * allocation of a device reconciles its FakeGpu, which may have thousands of pools. Thread-safe.
 */
final class UpToDatePools {

    private final SharedInputs shared;
    private final NodeInventories inventories;
    private final Map<PoolId, Entry> pools = new ConcurrentHashMap<>();

    UpToDatePools(SharedInputs shared) {
        this.shared = shared;
        this.inventories = new NodeInventories(shared.plan());
    }

    /** The inputs that all pools of the FakeGpu share. */
    record SharedInputs(InventoryPlan plan, ServedFields served, GroupPublishing groups, boolean showsMixins) {}

    /**
     * The additional inputs of a single pool.
     *
     * @param isAnnouncement whether it is published without devices
     * @param slices the stored slices, as {@code uid/resourceVersion}
     * @param claims the claims that hold each device in use
     */
    record PoolInputs(
            PoolTarget target, boolean isAnnouncement, Set<String> slices, Map<String, Set<ClaimRef>> claims) {}

    private record Entry(PoolInputs inputs, PoolOutcome outcome) {}

    SharedInputs shared() {
        return shared;
    }

    NodeInventories inventories() {
        return inventories;
    }

    /** The result when the pool was last found up to date; empty if its inputs have changed since. */
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
