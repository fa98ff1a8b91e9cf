package dev.fakegpu.runtime;

import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.schedule.DecisionListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The companion's metrics, modeled on kube-scheduler's {@code scheduler_schedule_attempts_total} and {@code scheduler_pending_pods}:
 * {@code fakegpu_companion_attempts_total} and {@code fakegpu_companion_pending}.
 */
final class CompanionMetrics implements DecisionListener {

    private final MeterRegistry registry;

    CompanionMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {
        Counter.builder("fakegpu.companion.attempts")
                .description("Scheduling attempts by result, and by the rules for compatibility groups")
                .tags("result", lower(result), "gate", lower(gate), "group_policy", lower(groupPolicy))
                .register(registry)
                .increment();
    }

    /** @param pending the number of pods and claims by queue */
    void watchQueues(Supplier<Map<String, Integer>> pending) {
        for (String queue : List.of("active", "backoff", "unschedulable")) {
            Gauge.builder("fakegpu.companion.pending", () -> pending.get().getOrDefault(queue, 0))
                    .description("Pods and claims in the scheduling queue, by the part of the queue they are in")
                    .tag("queue", queue)
                    .register(registry);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
