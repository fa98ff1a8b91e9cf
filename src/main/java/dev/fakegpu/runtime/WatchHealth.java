package dev.fakegpu.runtime;

import dev.fakegpu.kube.watch.ClusterWatch;
import dev.fakegpu.util.Ticker;
import io.javaoperatorsdk.operator.Operator;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Reports readiness while every kind is being watched, apart from interruptions ({@link WatchGrace}); otherwise, decisions would be based
 * on outdated state. A standby is also ready, because otherwise a rolling update would never finish: the old replica leads until the new
 * one is ready. For this reason, the check of the operator SDK, which requires the reconciler to run, is disabled (application.properties),
 * and its other checks are here.
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
