package dev.fakegpu.runtime;

import dev.fakegpu.operator.publish.pool.MemoryLimit;
import dev.fakegpu.util.Ticker;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Checks whether little of the heap is free after a garbage collection: long-lived objects, such as the slices of published nodes, take
 * more than four fifths of the space for them. The rest is needed for requests in flight and for running code. Thread-safe.
 */
@Singleton
public final class HeapLimit implements MemoryLimit {

    private static final double SHARE = 0.8;

    /** Relative to the space: up to this much more than after the last collection may or may not be garbage. */
    private static final double UNKNOWN_SHARE = 0.05;

    /** The minimum interval between collections that are triggered only to find out whether there is space again. */
    private static final long COLLECTION_NANOS = 50_000_000_000L;

    private final List<MemoryPoolMXBean> pools;
    private final LongSupplier nanoTime;
    private final Runnable collect;
    private long lastCollection;

    HeapLimit() {
        this(longLived(), Ticker.SYSTEM::nanos, System::gc);
    }

    /** @param pools the heap's memory pools for long-lived objects */
    HeapLimit(List<MemoryPoolMXBean> pools, LongSupplier nanoTime, Runnable collect) {
        this.pools = pools;
        this.nanoTime = nanoTime;
        this.collect = collect;
        this.lastCollection = nanoTime.getAsLong();
    }

    private static List<MemoryPoolMXBean> longLived() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
                .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
                .toList();
    }

    @Override
    public Optional<String> reached() {
        return full().map(pool ->
                "%d of %d MiB of the operator's memory for long-lived objects are in use; raise the memory limit of its"
                                .formatted(used(pool) >> 20, pool.getUsage().getMax() >> 20)
                        + " Deployment, or publish fewer nodes or partitions");
    }

    /** The pool with little free space. Synchronized, so that concurrent callers do not trigger several collections. */
    private synchronized Optional<MemoryPoolMXBean> full() {
        var full = pools.stream().filter(HeapLimit::isFull).findFirst();
        boolean mayBeWrong = full.isPresent()
                // The collector has no reason to run again after what filled the heap is gone.
                ? nanoTime.getAsLong() - lastCollection > COLLECTION_NANOS
                // The collector runs when the heap is full, which is too late to stop publishing.
                : pools.stream().anyMatch(HeapLimit::mayBeFull);
        if (mayBeWrong) {
            lastCollection = nanoTime.getAsLong();
            collect.run();
            return pools.stream().filter(HeapLimit::isFull).findFirst();
        }
        return full;
    }

    private static boolean isFull(MemoryPoolMXBean pool) {
        return used(pool) > SHARE * pool.getUsage().getMax();
    }

    private static boolean mayBeFull(MemoryPoolMXBean pool) {
        long now = pool.getUsage().getUsed();
        long max = pool.getUsage().getMax();
        return now > SHARE * max && now - used(pool) > UNKNOWN_SHARE * max;
    }

    /** The used bytes after the last collection. */
    private static long used(MemoryPoolMXBean pool) {
        return pool.getCollectionUsage().getUsed();
    }
}
