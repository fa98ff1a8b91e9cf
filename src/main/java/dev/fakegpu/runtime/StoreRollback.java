package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.kube.watch.WatchedKind;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/**
 * Ends the process when the state of the API server has gone back in time, for example after etcd was restored from a snapshot. Watches
 * would continue from resource versions that do not exist yet and report nothing until then, and decisions would be based on a state that
 * no longer exists. Kubernetes recommends restarting every component after a restore; a new process lists everything again.
 */
@Singleton
public final class StoreRollback {

    private static final Logger LOG = Logger.getLogger(StoreRollback.class);
    private static final long INTERVAL_SECONDS = 2;

    private final ClusterWatch cluster;
    private int next;
    private final ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "store-rollback");
        thread.setDaemon(true);
        return thread;
    });

    StoreRollback(ClusterWatch cluster) {
        this.cluster = cluster;
    }

    void start(@Observes StartupEvent event) {
        checks.scheduleWithFixedDelay(this::check, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    void stop(@Observes ShutdownEvent event) {
        checks.shutdownNow();
    }

    private void check() {
        try {
            if (hasGoneBack()) {
                LOG.error("resource versions have gone back, so etcd was probably restored from a snapshot;"
                        + " the operator exits, to read everything again");
                Quarkus.asyncExit(1);
            }
        } catch (RuntimeException e) {
            LOG.debugf("cannot determine whether resource versions have gone back: %s", e.getMessage());
        }
    }

    /**
     * Compares one kind on each call, since kinds may be stored in different etcds, and immediately all kinds that are ahead of this one:
     * if all kinds are in one etcd, a restore is noticed on the next call.
     */
    boolean hasGoneBack() {
        List<WatchedKind> kinds = cluster.kinds();
        if (kinds.isEmpty()) {
            return false;
        }
        List<Long> seen = kinds.stream().map(WatchedKind::seen).toList(); // before any list request
        next = (next + 1) % kinds.size();
        long stored = kinds.get(next).stored();
        return IntStream.range(0, kinds.size())
                .filter(i -> seen.get(i) > stored)
                .anyMatch(i -> i == next || kinds.get(i).stored() < seen.get(i));
    }
}
