package dev.fakegpu.runtime;

import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.operator.schedule.Companion;
import dev.fakegpu.operator.schedule.report.DecisionListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The companion's metrics, modeled on kube-scheduler's; {@code docs/metrics.md} describes them. All series exist from the start with the
 * value 0, so that a rate includes the first event. No label has values that tenants choose, except for the namespaces of {@link
 * #MAX_NAMESPACES}; no label has the name of a target label of Prometheus ({@code namespace}, {@code pod}), which Prometheus would rename.
 */
final class CompanionMetrics implements DecisionListener {

    /** Tenants create namespaces, so the metric has only those with the largest shares. */
    private static final int MAX_NAMESPACES = 10;

    private final MeterRegistry registry;
    private final MultiGauge shares;
    private final Map<String, Counter> refusals = new HashMap<>();
    private final Counter allocations;
    private final Counter allocatedDevices;
    private final Timer schedulingDuration;
    private final Map<Phase, Timer> phases = new EnumMap<>(Phase.class);
    private volatile IntFunction<Map<String, Double>> largestShares = count -> Map.of();
    private Set<String> shown = Set.of();

    CompanionMetrics(MeterRegistry registry) {
        this.registry = registry;
        shares = MultiGauge.builder("fakegpu.companion.decision.share.ratio")
                .description(
                        "Share of the scheduling thread's recent time that a namespace used, for those with the largest shares")
                .register(registry);
        allocations = counter("fakegpu.companion.allocations", "Claims whose allocation was written");
        allocatedDevices =
                counter("fakegpu.companion.allocated.devices", "Devices in the allocations that were written");
        schedulingDuration = Meters.latency("fakegpu.companion.scheduling.duration")
                .description(
                        "Time from the creation of a pod or claim, in whole seconds, until its decision was written")
                .register(registry);
        for (Phase phase : Phase.values()) {
            phases.put(
                    phase,
                    Meters.latency("fakegpu.companion.phase.duration")
                            .description("Time that a part of a decision took: search, explanation, write")
                            .tag("phase", Meters.lower(phase))
                            .register(registry));
        }
        for (String reason : Companion.reasonCodes()) {
            refusals.put(
                    reason,
                    Counter.builder("fakegpu.companion.refusals")
                            .description(
                                    "Pods and claims refused, by reason; one that is refused again for the same reason"
                                            + " while it is pending is not counted again")
                            .tag("reason", reason)
                            .register(registry));
        }
        attempts();
    }

    private void attempts() {
        for (Result result : Result.values()) {
            for (GroupsGate gate : GroupsGate.values()) {
                for (GroupPolicy policy : GroupPolicy.values()) {
                    attempts(result, gate, policy);
                }
            }
        }
    }

    private Counter attempts(Result result, GroupsGate gate, GroupPolicy groupPolicy) {
        return Counter.builder("fakegpu.companion.attempts")
                .description("Scheduling attempts, with retries, by result and by the rules for compatibility groups")
                .tags(
                        "result",
                        Meters.lower(result),
                        "gate",
                        Meters.lower(gate),
                        "group_policy",
                        Meters.lower(groupPolicy))
                .register(registry);
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
    }

    @Override
    public void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy) {
        attempts(result, gate, groupPolicy).increment();
        showShares();
    }

    @Override
    public void refused(String reason) {
        Objects.requireNonNull(refusals.get(reason)).increment();
    }

    @Override
    public void allocated(int devices) {
        allocations.increment();
        allocatedDevices.increment(devices);
    }

    @Override
    public void scheduled(Duration sinceCreation) {
        schedulingDuration.record(sinceCreation);
    }

    @Override
    public void took(Phase phase, Duration duration) {
        Objects.requireNonNull(phases.get(phase)).record(duration);
    }

    private synchronized void showShares() {
        Set<String> namespaces = largestShares.apply(MAX_NAMESPACES).keySet();
        if (!namespaces.equals(shown)) {
            shown = Set.copyOf(namespaces);
            shares.register(shown.stream().map(this::row).toList());
        }
    }

    private MultiGauge.Row<?> row(String namespace) {
        return MultiGauge.Row.of(
                Tags.of("item_namespace", namespace),
                () -> largestShares.apply(MAX_NAMESPACES).getOrDefault(namespace, 0.0));
    }

    /** Registers gauges for the state of a companion: its queue, the reasons of pending items, and its event loop. */
    void watch(Companion companion) {
        largestShares = companion::largestShares;
        for (String queue : List.of("active", "backoff", "unschedulable")) {
            Gauge.builder("fakegpu.companion.pending", () -> companion.pending().getOrDefault(queue, 0))
                    .description("Pods and claims in the scheduling queue, by the part of the queue they are in")
                    .tag("queue", queue)
                    .register(registry);
        }
        for (String code : Companion.reasonCodes()) {
            Gauge.builder(
                            "fakegpu.companion.unschedulable",
                            () -> companion.pendingByReason().getOrDefault(code, 0))
                    .description("Pods and claims that are pending, by the reason that was reported last")
                    .tag("reason", code)
                    .register(registry);
        }
        Gauge.builder("fakegpu.companion.pending.events", companion::pendingEvents)
                .description("Changes of the cluster that the scheduling thread has not looked at yet")
                .register(registry);
        FunctionCounter.builder("fakegpu.companion.steps", companion, Companion::stepsDone)
                .description("Steps of the scheduling thread: a thread that hangs makes none while events are pending")
                .register(registry);
    }
}
