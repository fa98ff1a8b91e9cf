package dev.fakegpu.runtime;

import dev.fakegpu.schedule.Companion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;
import org.jspecify.annotations.Nullable;

/**
 * Alive unless the thread that decides has been in one step for {@link #LONGEST_STEP}: a decision ends by its own time limit long before,
 * so that such a thread hangs, and only a new process can help.
 */
@Liveness
public final class DecisionHealth implements HealthCheck {

    static final Duration LONGEST_STEP = Duration.ofSeconds(60);

    private final Companion companion;
    private final Clock clock;
    private @Nullable Long step;
    private Instant since = Instant.MIN;

    DecisionHealth(Companion companion, Clock clock) {
        this.companion = companion;
        this.clock = clock;
    }

    @Override
    public synchronized HealthCheckResponse call() {
        Long current = companion.currentStep();
        var now = clock.instant();
        if (current == null || !current.equals(step)) {
            step = current;
            since = now;
        }
        boolean hangs = current != null && since.plus(LONGEST_STEP).isBefore(now);
        return HealthCheckResponse.named("deciding").status(!hangs).build();
    }
}
