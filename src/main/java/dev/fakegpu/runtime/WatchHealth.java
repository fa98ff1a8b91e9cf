package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.util.Ticker;
import io.javaoperatorsdk.operator.Operator;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready while every kind is being watched, apart from interruptions ({@link WatchGrace}): otherwise decisions would be based on outdated
 * state. A standby is ready, too, or a rolling update
 * would wait for ever: the old replica leads until the new one is ready. The check of the operator SDK, which wants the reconciler to run,
 * is therefore left out (application.properties), and what else it checks is here.
 */
@Readiness
public final class WatchHealth implements HealthCheck {

    private final ClusterWatch cluster;
    private final Operator publisher;
    private final WatchGrace grace;

    WatchHealth(ClusterWatch cluster, Operator publisher, Ticker ticker) {
        this.cluster = cluster;
        this.publisher = publisher;
        this.grace = new WatchGrace(ticker);
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("watching the cluster")
                .status(grace.isReady(cluster.isWatching() && isPublisherWatching()))
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
