package dev.fakegpu.allocate.pool;

import dev.fakegpu.allocate.lookahead.CounterComponents;
import dev.fakegpu.dra.DeviceId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is computed from the devices of a pool and kept for as long as the pool stays the same: counters as numbers, selector matches,
 * attribute values, consumed capacity. Everything but the counters is computed when it is first needed. Safe for use by several
 * threads.
 */
public final class PoolCaches {

    private final Pool.Usable pool;
    private final CounterTable counters;
    private final SelectorMatchesCache selectorMatches;
    private final AttributeColumns attributes;
    private final ConsumedCapacityCache consumedCapacity;
    private volatile @Nullable CounterComponents components;
    private volatile @Nullable CommittedState lastCommitted;
    private volatile @Nullable Map<DeviceId, Integer> positions;

    PoolCaches(Pool.Usable pool) {
        this.pool = pool;
        counters = CounterTable.of(pool.counterSets(), pool.devices());
        selectorMatches = new SelectorMatchesCache(pool.devices());
        attributes = new AttributeColumns(pool.devices());
        consumedCapacity = new ConsumedCapacityCache(pool.devices());
    }

    public CounterTable counters() {
        return counters;
    }

    public SelectorMatchesCache selectorMatches() {
        return selectorMatches;
    }

    public AttributeColumns attributes() {
        return attributes;
    }

    public ConsumedCapacityCache consumedCapacity() {
        return consumedCapacity;
    }

    /** Only for counters that are {@link CounterTable#isSimple simple}. */
    public CounterComponents components() {
        CounterComponents known = components;
        if (known == null) {
            known = new CounterComponents(counters.byDevice(pool.devices()), counters.sets());
            components = known;
        }
        return known;
    }

    /** What the allocated devices leave of the pool. The last answer is kept until the pool's allocated devices change. */
    CommittedState committed(AllocatedDevices allocated, GroupsGate gate) {
        CommittedState last = lastCommitted;
        if (last == null || !last.isOf(allocated, gate, pool.id())) {
            last = CommittedState.of(pool, allocated, gate);
            lastCommitted = last;
        }
        return last;
    }

    /** The position of a device in the pool; null if it is not one of its devices. */
    public @Nullable Integer position(DeviceId device) {
        Map<DeviceId, Integer> known = positions;
        if (known == null) {
            known = new HashMap<>();
            for (int i = 0; i < pool.devices().size(); i++) {
                known.putIfAbsent(pool.devices().get(i).id(), i);
            }
            positions = known;
        }
        return known.get(device);
    }
}
