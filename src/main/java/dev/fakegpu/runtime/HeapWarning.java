package dev.fakegpu.runtime;

import dev.fakegpu.watch.ClusterWatch;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Warns, at most once a minute, while little of the heap is free after a garbage collection: at its end the process would be, too. */
@Singleton
public final class HeapWarning {

    private static final Logger LOG = Logger.getLogger(HeapWarning.class);
    private static final double THRESHOLD = 0.8;
    private static final long SECONDS = 60;

    private final ClusterWatch cluster;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "heap-warning");
        thread.setDaemon(true);
        return thread;
    });

    HeapWarning(ClusterWatch cluster) {
        this.cluster = cluster;
    }

    void start(@Observes StartupEvent event) {
        List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
                .filter(pool -> pool.getName().contains("Old") || pool.getName().contains("Tenured"))
                .toList();
        pools.forEach(pool -> pool.setCollectionUsageThreshold(
                (long) (THRESHOLD * pool.getUsage().getMax())));
        var ignored = executor.scheduleWithFixedDelay(
                () -> pools.forEach(this::warnIfFull), SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        executor.shutdownNow();
    }

    private void warnIfFull(MemoryPoolMXBean pool) {
        if (pool.isCollectionUsageThresholdExceeded()) {
            LOG.warnf(
                    "%d of %d MiB of the heap are in use; the watched objects are, in bytes as JSON: %s",
                    pool.getCollectionUsage().getUsed() >> 20,
                    pool.getUsage().getMax() >> 20,
                    cluster.bytes().totals());
        }
    }
}
