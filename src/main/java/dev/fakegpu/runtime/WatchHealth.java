package dev.fakegpu.runtime;

import dev.fakegpu.watch.ClusterWatch;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready while every kind is being watched: otherwise decisions would be based on outdated state. */
@Readiness
public final class WatchHealth implements HealthCheck {

    private final ClusterWatch cluster;

    WatchHealth(ClusterWatch cluster) {
        this.cluster = cluster;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("watching the cluster")
                .status(cluster.isWatching())
                .build();
    }
}
