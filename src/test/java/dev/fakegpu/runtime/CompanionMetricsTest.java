package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.operator.schedule.Companion;
import dev.fakegpu.operator.schedule.report.DecisionListener.Phase;
import dev.fakegpu.operator.schedule.report.DecisionListener.Result;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CompanionMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CompanionMetrics metrics = new CompanionMetrics(registry);

    @Test
    void countsAttemptsByResultAndRules() {
        // When
        metrics.decided(Result.SCHEDULED, GroupsGate.ON, GroupPolicy.SNAPSHOT);
        metrics.decided(Result.UNSCHEDULABLE, GroupsGate.ON, GroupPolicy.SNAPSHOT);
        metrics.decided(Result.UNSCHEDULABLE, GroupsGate.ON, GroupPolicy.SNAPSHOT);
        metrics.decided(Result.UNSCHEDULABLE, GroupsGate.OFF, GroupPolicy.LIVE);

        // Then
        assertThat(attempts("scheduled", "on", "snapshot")).isEqualTo(1);
        assertThat(attempts("unschedulable", "on", "snapshot")).isEqualTo(2);
        assertThat(attempts("unschedulable", "off", "live")).isEqualTo(1);
        assertThat(attempts("error", "on", "snapshot"))
                .as("is there from the beginning")
                .isZero();
    }

    @Test
    void countsRefusalsByReason() {
        // When
        metrics.refused("DevicesInUse");
        metrics.refused("DevicesInUse");

        // Then
        assertThat(refusals("DevicesInUse")).isEqualTo(2);
        assertThat(Companion.reasonCodes())
                .filteredOn(reason -> refusals(reason) > 0)
                .containsExactly("DevicesInUse");
    }

    @Test
    void countsAllocationsAndTheirDevices() {
        // When
        metrics.allocated(2);
        metrics.allocated(1);

        // Then
        assertThat(registry.get("fakegpu.companion.allocations").counter().count())
                .isEqualTo(2);
        assertThat(registry.get("fakegpu.companion.allocated.devices").counter().count())
                .isEqualTo(3);
    }

    @Test
    void measuresPhasesAndTheWhole() {
        // When
        metrics.took(Phase.SEARCH, Duration.ofMillis(3));
        metrics.scheduled(Duration.ofSeconds(2));

        // Then
        assertThat(registry.get("fakegpu.companion.phase.duration")
                        .tag("phase", "search")
                        .timer()
                        .totalTime(TimeUnit.SECONDS))
                .isCloseTo(0.003, within(1e-9));
        assertThat(registry.get("fakegpu.companion.scheduling.duration").timer().totalTime(TimeUnit.SECONDS))
                .isCloseTo(2, within(1e-9));
    }

    private double refusals(String reason) {
        return registry.get("fakegpu.companion.refusals")
                .tag("reason", reason)
                .counter()
                .count();
    }

    private double attempts(String result, String gate, String groupPolicy) {
        return registry.get("fakegpu.companion.attempts")
                .tags("result", result, "gate", gate, "group_policy", groupPolicy)
                .counter()
                .count();
    }
}
