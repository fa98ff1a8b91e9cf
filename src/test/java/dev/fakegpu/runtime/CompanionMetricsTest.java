package dev.fakegpu.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.schedule.DecisionListener.Result;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
    }

    @Test
    void showsTheCurrentLengthOfEachQueue() {
        // Given
        Map<String, Integer> pending = new HashMap<>(Map.of("active", 2));
        metrics.watchQueues(() -> pending);

        // When
        pending.put("unschedulable", 3);

        // Then
        assertThat(pending("active")).isEqualTo(2);
        assertThat(pending("backoff")).isZero();
        assertThat(pending("unschedulable")).isEqualTo(3);
    }

    @Test
    void showsTheLargestSharesOnly() {
        // Given
        var shares = new HashMap<>(Map.of("busy", 0.7, "other", 0.1));
        metrics.watchShares(count -> shares);
        metrics.decided(Result.SCHEDULED, GroupsGate.ON, GroupPolicy.SNAPSHOT);
        assertThat(share("busy")).hasValue(0.7);

        // When
        shares.remove("other");
        shares.put("busy", 0.2);
        metrics.decided(Result.SCHEDULED, GroupsGate.ON, GroupPolicy.SNAPSHOT);

        // Then
        assertThat(share("busy")).hasValue(0.2);
        assertThat(share("other")).isEmpty();
    }

    private Optional<Double> share(String namespace) {
        return Optional.ofNullable(registry.find("fakegpu.companion.decision.share")
                        .tag("namespace", namespace)
                        .gauge())
                .map(Gauge::value);
    }

    private double attempts(String result, String gate, String groupPolicy) {
        return registry.get("fakegpu.companion.attempts")
                .tags("result", result, "gate", gate, "group_policy", groupPolicy)
                .counter()
                .count();
    }

    private double pending(String queue) {
        return registry.get("fakegpu.companion.pending")
                .tag("queue", queue)
                .gauge()
                .value();
    }
}
