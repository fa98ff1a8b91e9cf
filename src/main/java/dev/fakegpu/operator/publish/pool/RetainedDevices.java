package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.Inventory;
import dev.fakegpu.hardware.slices.Retention;
import dev.fakegpu.hardware.slices.Retention.Published;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The devices in use, as they were last published. What was published takes precedence over the stored slices, which may have been edited
 * or deleted by hand since. After a restart of the operator, only the stored slices are known.
 */
final class RetainedDevices {

    private final Map<PoolId, Published> byPool = new ConcurrentHashMap<>();

    /**
     * The part of a pool to publish so that its devices in use do not change.
     *
     * @param stored the pool according to its stored slices
     * @param used names of the devices in use
     */
    Retention retain(PoolId pool, Inventory desired, Published stored, Set<String> used) {
        var before = stored.only(used);
        var remembered = byPool.get(pool);
        var retention = Retention.of(desired, remembered == null ? before : before.with(remembered.only(used)), used);
        var inventory = retention.inventory();
        byPool.put(pool, new Published(inventory.counterSets(), inventory.devices()).only(used));
        return retention;
    }

    void forget(PoolId pool) {
        byPool.remove(pool);
    }
}
