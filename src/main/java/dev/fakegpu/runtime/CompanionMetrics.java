package dev.fakegpu.runtime;

import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.schedule.Companion;
import dev.fakegpu.schedule.DecisionListener;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;

/**
 * The companion's metrics, after kube-scheduler's {@code scheduler_schedule_attempts_total} and {@code scheduler_pending_pods}:
 * attempts with the rules they were made by, and how many wait in each part of the queue.
 */
final class CompanionMetrics implements DecisionListener {

    private final MeterRegistry registry;

    CompanionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {
        registry.counter(
                        "fakegpu.companion.attempts",
                        "result",
                        lower(result),
                        "gate",
                        lower(gate),
                        "group_policy",
                        lower(groupPolicy))
                .increment();
    }

    void watch(Companion companion) {
        for (String queue : List.of("active", "backoff", "unschedulable")) {
            Gauge.builder(
                            "fakegpu.companion.pending",
                            companion,
                            each -> each.pending().getOrDefault(queue, 0))
                    .tag("queue", queue)
                    .register(registry);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
