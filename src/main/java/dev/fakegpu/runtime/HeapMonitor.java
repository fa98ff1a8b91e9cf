package dev.fakegpu.runtime;

import dev.fakegpu.watch.ClusterWatch;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/** Warns, at most once a minute, while little of the heap is free after a garbage collection: at its end the process would be, too. */
@Singleton
public final class HeapWarning {

    private static final Logger LOG = Logger.getLogger(HeapWarning.class);
    private static final long SECONDS = 60;

    private final ClusterWatch cluster;
    private final HeapLimit limit;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        var thread = new Thread(task, "heap-warning");
        thread.setDaemon(true);
        return thread;
    });

    HeapWarning(ClusterWatch cluster, HeapLimit limit) {
        this.cluster = cluster;
        this.limit = limit;
    }

    void start(@Observes StartupEvent event) {
        var ignored = executor.scheduleWithFixedDelay(this::warnIfFull, SECONDS, SECONDS, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        executor.shutdownNow();
    }

    private void warnIfFull() {
        limit.reached()
                .ifPresent(reached -> LOG.warnf(
                        "%s; the watched objects take, in bytes: %s",
                        reached, cluster.bytes().totals()));
    }
}
