package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Ends the process when what the API server stores has gone back in time, as after etcd was restored from a snapshot. Watches go on from
 * resource versions that are yet to come, report nothing until then, and decisions are based on what has never been. Kubernetes advises to
 * restart every component after a restoration; a new process lists everything anew.
 */
@Singleton
public final class StoreRollback {

    private static final Logger LOG = Logger.getLogger(StoreRollback.class);
    private static final long INTERVAL_SECONDS = 2;

    private final KubernetesClient client;
    private final ClusterWatch cluster;
    private final ScheduledExecutorService checks = Executors.newSingleThreadScheduledExecutor(work -> {
        var thread = new Thread(work, "store-rollback");
        thread.setDaemon(true);
        return thread;
    });

    StoreRollback(KubernetesClient client, ClusterWatch cluster) {
        this.client = client;
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
                        + " the operator exits, to read everything anew");
                Quarkus.asyncExit(1);
            }
        } catch (RuntimeException e) {
            LOG.debugf("cannot tell whether resource versions have gone back: %s", e.getMessage());
        }
    }

    /** A list without a resource version is as new as what is stored, whichever API server answers, and says how new that is. */
    boolean hasGoneBack() {
        long seen = cluster.newestVersion();
        String stored = client.namespaces()
                .list(new ListOptionsBuilder().withLimit(1L).build())
                .getMetadata()
                .getResourceVersion();
        return Long.parseLong(stored) < seen;
    }
}
