package dev.fakegpu.runtime;

import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.schedule.DecisionListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The companion's metrics, modeled on kube-scheduler's {@code scheduler_schedule_attempts_total} and {@code scheduler_pending_pods}:
 * {@code fakegpu_companion_attempts_total} and {@code fakegpu_companion_pending}; {@code fakegpu_companion_unschedulable}, by reason; and who uses the scheduling thread: {@code
 * fakegpu_companion_decision_share}.
 */
final class CompanionMetrics implements DecisionListener {

    /** Tenants make namespaces, so the metric has only those with the largest shares. */
    private static final int MAX_NAMESPACES = 10;

    private final MeterRegistry registry;
    private final MultiGauge shares;
    private volatile IntFunction<Map<String, Double>> largestShares = count -> Map.of();
    private Set<String> shown = Set.of();

    CompanionMetrics(MeterRegistry registry) {
        this.registry = registry;
        shares = MultiGauge.builder("fakegpu.companion.decision.share")
                .description(
                        "Share of the scheduling thread's recent time that a namespace used, for those with the largest shares")
                .register(registry);
    }

    @Override
    public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {
        Counter.builder("fakegpu.companion.attempts")
                .description("Scheduling attempts by result, and by the rules for compatibility groups")
                .tags("result", lower(result), "gate", lower(gate), "group_policy", lower(groupPolicy))
                .register(registry)
                .increment();
        showShares();
    }

    /** @param largest the namespaces with the largest shares of the scheduling thread's time, at most so many */
    void watchShares(IntFunction<Map<String, Double>> largest) {
        largestShares = largest;
    }

    private void showShares() {
        Set<String> namespaces = largestShares.apply(MAX_NAMESPACES).keySet();
        if (!namespaces.equals(shown)) {
            shown = Set.copyOf(namespaces);
            shares.register(shown.stream().map(this::row).toList());
        }
    }

    private MultiGauge.Row<?> row(String namespace) {
        return MultiGauge.Row.of(
                Tags.of("namespace", namespace),
                () -> largestShares.apply(MAX_NAMESPACES).getOrDefault(namespace, 0.0));
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

    /** @param counts the number of pending pods and claims by the code of the reason that was reported last */
    void watchReasons(List<String> codes, Supplier<Map<String, Integer>> counts) {
        for (String code : codes) {
            Gauge.builder("fakegpu.companion.unschedulable", () -> counts.get().getOrDefault(code, 0))
                    .description("Pods and claims that are pending, by the reason that was reported last")
                    .tag("reason", code)
                    .register(registry);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
