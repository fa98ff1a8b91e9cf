package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.cluster.fit.UnsupportedFields;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Assumptions about how a scheduler treats compatibility groups, and their sources.
 *
 * @param isGateKnown whether the state of the gate is reported or configured; otherwise it is concluded and may be wrong
 * @param gateFrom the source of the gate's state
 * @param policyFrom the source of the policy
 */
public record Assumptions(
        Scheduler scheduler,
        GroupsGate gate,
        boolean isGateKnown,
        String gateFrom,
        GroupPolicy policy,
        String policyFrom) {

    private record Found<T>(T value, String from, boolean isKnown) {

        Found(T value, String from) {
            this(value, from, true);
        }

        static <T> Found<T> guess(T value, String from) {
            return new Found<>(value, from, false);
        }
    }

    /**
     * Determines the assumptions.
     *
     * @param sources sources besides the cluster's objects
     */
    public static Assumptions of(ClusterSnapshot cluster, Scheduler scheduler, GateSources sources) {
        Found<GroupsGate> gate = dropped(scheduler, sources)
                .or(() -> sources.chosen().map(value -> new Found<>(value, "chosen by " + sources.choice())))
                .or(() -> scheduler == Scheduler.COMPANION ? ofCompanion(cluster) : ofKubeScheduler(cluster, sources))
                .orElseGet(() -> Found.guess(GroupsGate.ON, "the default; choose with " + sources.choice()));
        Found<GroupPolicy> policy = policy(cluster, scheduler);
        return new Assumptions(scheduler, gate.value(), gate.isKnown(), gate.from(), policy.value(), policy.from());
    }

    /** The companion reads groups from an annotation if the API server drops them. */
    private static Optional<Found<GroupsGate>> dropped(Scheduler scheduler, GateSources sources) {
        return scheduler == Scheduler.COMPANION || sources.storesGroups()
                ? Optional.empty()
                : Optional.of(new Found<>(GroupsGate.UNAWARE, "since the API server does not store groups"));
    }

    private static Optional<Found<GroupsGate>> ofCompanion(ClusterSnapshot cluster) {
        return setting(cluster, "companion.gate", OperatorSettings.GATE, GroupsGate.class)
                .or(() -> withoutGroups(cluster, Scheduler.COMPANION));
    }

    private static Optional<Found<GroupsGate>> ofKubeScheduler(ClusterSnapshot cluster, GateSources sources) {
        return withoutGroups(cluster, Scheduler.KUBE_SCHEDULER)
                .or(() -> env(cluster, OperatorSettings.KUBE_SCHEDULER_GATE, GroupsGate.class))
                .or(() -> sources.apiServer()
                        .get()
                        .map(gate -> Found.guess(
                                gate,
                                "as in the API server's metrics; kube-scheduler's may differ: " + sources.choice())))
                .or(() -> Optional.of(Found.guess(
                        GroupsGate.ON,
                        "since the API server stores groups; kube-scheduler's gate cannot be seen: "
                                + sources.choice())));
    }

    private static Optional<Found<GroupsGate>> withoutGroups(ClusterSnapshot cluster, Scheduler scheduler) {
        return cluster.slices(scheduler, GroupsGate.ON).stream().anyMatch(Slice::usesCompatibilityGroups)
                ? Optional.empty()
                : Optional.of(new Found<>(GroupsGate.ON, "no slice has groups, so it makes no difference"));
    }

    private static Found<GroupPolicy> policy(ClusterSnapshot cluster, Scheduler scheduler) {
        if (scheduler == Scheduler.KUBE_SCHEDULER) {
            return new Found<>(GroupPolicy.LIVE, "as in Kubernetes 1.37");
        }
        return setting(cluster, "companion.groupPolicy", OperatorSettings.GROUP_POLICY, GroupPolicy.class)
                .orElseGet(() -> new Found<>(scheduler.defaultPolicy(), "the default"));
    }

    /** Reads the setting from the ConfigMap, which overrides the environment. */
    private static <E extends Enum<E>> Optional<Found<E>> setting(
            ClusterSnapshot cluster, String key, String variable, Class<E> type) {
        return stored(cluster, key, type)
                .map(value -> new Found<>(value, key + " of the operator's ConfigMap"))
                .or(() -> env(cluster, variable, type));
    }

    private static <E extends Enum<E>> Optional<E> stored(ClusterSnapshot cluster, String key, Class<E> type) {
        return cluster.objects()
                .settings()
                .map(map -> Objects.requireNonNullElse(map.getData(), Map.<String, String>of()))
                .flatMap(data -> value(data.get(key), type));
    }

    private static <E extends Enum<E>> Optional<Found<E>> env(ClusterSnapshot cluster, String variable, Class<E> type) {
        return cluster.objects().operator().stream()
                .flatMap(operator -> operator.getSpec().getTemplate().getSpec().getContainers().stream())
                .flatMap(container -> container.getEnv().stream())
                .filter(env -> env.getName().equals(variable))
                .map(EnvVar::getValue)
                .flatMap(text -> value(text, type).stream())
                .findFirst()
                .map(value -> new Found<>(value, variable + " of the operator"));
    }

    private static <E extends Enum<E>> Optional<E> value(@Nullable String text, Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> text != null && each.name().equalsIgnoreCase(text.strip()))
                .findFirst();
    }

    /** How the companion treats pods with unsupported fields. */
    public static UnsupportedFields unsupportedFields(ClusterSnapshot cluster) {
        return stored(cluster, UnsupportedFields.SETTING, UnsupportedFields.class)
                .orElse(UnsupportedFields.REFUSE);
    }

    /** What the companion makes of mixins. */
    public static MixinsGate mixins(ClusterSnapshot cluster) {
        return setting(cluster, MixinsGate.SETTING, OperatorSettings.MIXINS, MixinsGate.class)
                .map(Found::value)
                .orElse(MixinsGate.ON);
    }

    /** Whether the companion preempts pods. */
    public static PreemptionSetting preemption(ClusterSnapshot cluster) {
        return setting(cluster, PreemptionSetting.SETTING, OperatorSettings.PREEMPTION, PreemptionSetting.class)
                .map(Found::value)
                .orElse(PreemptionSetting.DISABLED);
    }

    /** The options of the scheduler's allocator. */
    public AllocatorOptions options() {
        return scheduler.options(gate, policy);
    }

    /** Returns text such as {@code kube-scheduler, …}. */
    public String text() {
        return "%s, with %s %s (%s) and the groups of allocated devices as %s (%s)"
                .formatted(
                        scheduler == Scheduler.COMPANION ? "the companion" : "kube-scheduler",
                        Feature.COMPATIBILITY_GROUPS_GATE,
                        gate.name().toLowerCase(Locale.ROOT),
                        gateFrom,
                        policy == GroupPolicy.LIVE ? "now in their slices" : "recorded at allocation",
                        policyFrom);
    }
}
