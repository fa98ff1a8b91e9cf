package dev.fakegpu.runtime;

import dev.fakegpu.operator.schedule.Companion;
import dev.fakegpu.util.Ticker;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Reports the process as alive unless the scheduling thread hangs ({@link HangDetector}). */
@Liveness
public final class DecisionHealth implements HealthCheck {

    private final Companion companion;
    private final HangDetector detector;

    DecisionHealth(Companion companion, Ticker ticker) {
        this.companion = companion;
        this.detector = new HangDetector(ticker);
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("deciding")
                .status(!detector.hangs(companion.currentStep()))
                .build();
    }
}
