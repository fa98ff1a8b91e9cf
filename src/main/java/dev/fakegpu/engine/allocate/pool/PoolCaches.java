package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.engine.allocate.lookahead.CounterComponents;
import org.jspecify.annotations.Nullable;

/**
 * Data that is computed from the devices of a pool and kept as long as the pool stays the same: counters as numbers, selector matches,
 * attribute values, and consumed capacity. Everything is computed when it is first needed. Thread-safe.
 */
public final class PoolCaches {

    private final Pool.Usable pool;
    private final PoolTemplate template;
    private final SelectorMatchesCache selectorMatches;
    private final AttributeColumns attributes;
    private final ConsumedCapacityCache consumedCapacity;
    private volatile @Nullable CommittedState lastCommitted;

    /** @param before what the pool was before, whose answers stay the same where they follow from what has not changed */
    PoolCaches(Pool.Usable pool, PoolTemplate template, Pool.@Nullable Usable before) {
        this.pool = pool;
        this.template = template;
        selectorMatches = new SelectorMatchesCache(pool.devices());
        attributes = new AttributeColumns(pool.devices());
        consumedCapacity = new ConsumedCapacityCache(pool.devices());
        if (before != null) {
            long[] equal = before.equalDevices(pool.devices());
            selectorMatches.keep(before.caches().selectorMatches, equal);
            consumedCapacity.keep(before.caches().consumedCapacity);
            CommittedState last = before.caches().lastCommitted;
            lastCommitted =
                    last != null && before.caches().template == template && last.isSameFor(pool, before) ? last : null;
        }
    }

    PoolTemplate template() {
        return template;
    }

    public CounterTable counters() {
        return template.counters();
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

    /** The counter components. Requires that the counters are {@link CounterTable#isSimple simple}. */
    public CounterComponents components() {
        return template.components();
    }

    /** What the allocated devices leave of the pool. The last result is kept until the pool's allocated devices change. */
    CommittedState committed(AllocatedDevices allocated, GroupsGate gate) {
        CommittedState last = lastCommitted;
        if (last == null || !last.isOf(allocated, gate, pool.id())) {
            last = CommittedState.of(pool, allocated, gate);
            lastCommitted = last;
        }
        return last;
    }

    /** The position of a device in the pool; null if it does not belong to the pool. */
    public @Nullable Integer position(DeviceId device) {
        boolean isOfPool = device.pool().equals(pool.id().name())
                && device.driver().equals(pool.id().driver());
        return isOfPool ? template.position(device.device()) : null;
    }
}
