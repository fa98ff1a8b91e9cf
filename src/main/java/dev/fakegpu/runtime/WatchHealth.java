package dev.fakegpu.runtime;

import dev.fakegpu.watch.ClusterWatch;
import io.javaoperatorsdk.operator.Operator;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while every kind is being watched: otherwise decisions would be based on outdated state. A standby is ready, too, or a rolling update
 * would wait for ever: the old replica leads until the new one is ready. The check of the operator SDK, which wants the reconciler to run,
 * is therefore left out (application.properties), and what else it checks is here.
 */
@Readiness
public final class WatchHealth implements HealthCheck {

    private final ClusterWatch cluster;
    private final Operator publisher;

    WatchHealth(ClusterWatch cluster, Operator publisher) {
        this.cluster = cluster;
        this.publisher = publisher;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("watching the cluster")
                .status(cluster.isWatching() && isPublisherWatching())
                .build();
    }

    private boolean isPublisherWatching() {
        var publisherInfo = publisher.getRuntimeInfo();
        return !publisherInfo.isStarted()
                || publisherInfo.getRegisteredControllers().stream()
                        .allMatch(controller -> controller
                                .getControllerHealthInfo()
                                .unhealthyEventSources()
                                .isEmpty());
    }
}
