package dev.fakegpu.runtime;

import io.javaoperatorsdk.operator.Operator;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Ready unless the reconciler has been started and something that it watches has failed. Before this replica leads, the reconciler does not
 * run, which is as it should be.
 */
@Readiness
public final class PublisherHealth implements HealthCheck {

    private final Operator publisher;

    PublisherHealth(Operator publisher) {
        this.publisher = publisher;
    }

    @Override
    public HealthCheckResponse call() {
        var state = publisher.getRuntimeInfo();
        return HealthCheckResponse.named("reconciling")
                .status(!state.isStarted() || state.allEventSourcesAreHealthy())
                .build();
    }
}
