package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.api.FaultSpec.Effect;
import dev.fakegpu.api.FaultSpec.Operation;
import dev.fakegpu.operator.kubelet.DriverListener.Outcome;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class KubeletMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KubeletMetrics metrics = new KubeletMetrics(registry);

    @Test
    void countsCallsByOutcomeAndFaultsByEffect() {
        // When
        metrics.injected(Operation.Prepare, Effect.Fail);
        metrics.answered(Operation.Prepare, Outcome.FAULT, Duration.ofMillis(2));
        metrics.answered(Operation.Prepare, Outcome.SUCCEEDED, Duration.ofMillis(3));

        // Then
        assertThat(calls("fault")).isEqualTo(1);
        assertThat(calls("succeeded")).isEqualTo(1);
        assertThat(calls("refused")).isZero();
        assertThat(registry.get("fakegpu.driver.injected.faults")
                        .tags("operation", "prepare", "effect", "fail")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(registry.get("fakegpu.driver.call.duration")
                        .tag("operation", "prepare")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    private double calls(String outcome) {
        return registry.get("fakegpu.driver.calls")
                .tags("operation", "prepare", "outcome", outcome)
                .counter()
                .count();
    }
}
