package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Warns once per minute while little of the heap is free after a garbage collection, because the process would end with an
 * OutOfMemoryError. When there is space again, it reads slices whose devices were not kept.
 */
@Singleton
public final class HeapMonitor {

    private static final Logger LOG = Logger.getLogger(HeapMonitor.class);
    private static final long SECONDS = 10;
    private static final int TURNS_BETWEEN_WARNINGS = 6;

    private final ClusterWatch cluster;
    private final HeapLimit limit;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "heap-monitor");
        thread.setDaemon(true);
        return thread;
    });

    private int turnsUntilWarning;

    HeapMonitor(ClusterWatch cluster, HeapLimit limit) {
        this.cluster = cluster;
        this.limit = limit;
    }

    void start(@Observes StartupEvent event) {
        var ignored = executor.scheduleWithFixedDelay(this::look, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        executor.shutdownNow();
    }

    private void look() {
        try {
            limit.reached().ifPresentOrElse(this::warn, this::readAgain);
        } catch (RuntimeException e) { // otherwise the executor would stop the checks
            LOG.warnf("cannot read the devices of slices again yet: %s", e);
        }
    }

    private void readAgain() {
        turnsUntilWarning = 0;
        cluster.readDevicesAgain();
    }

    private void warn(String reached) {
        if (turnsUntilWarning-- > 0) {
            return;
        }
        turnsUntilWarning = TURNS_BETWEEN_WARNINGS - 1;
        LOG.warnf(
                "%s; the devices of %d slices that belong to no FakeGpu are not kept; the watched objects take, in bytes: %s",
                reached, cluster.slicesWithoutDevices().size(), cluster.bytes().totals());
    }
}
