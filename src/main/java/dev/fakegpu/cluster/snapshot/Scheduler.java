package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;

/** The schedulers that allocate devices. */
public enum Scheduler {
    /** The companion, which allocates devices of FakeGpus with {@code allocator: Companion} for its own pods. */
    COMPANION,
    /** kube-scheduler, or another scheduler with its plugin for dynamic resources, which allocates all other devices. */
    KUBE_SCHEDULER;

    /** The scheduler that a pod names. */
    public static Scheduler of(Pod pod) {
        return PodState.isOfCompanion(pod) ? COMPANION : KUBE_SCHEDULER;
    }

    public static Scheduler of(AllocatorName allocator) {
        return allocator == AllocatorName.Companion ? COMPANION : KUBE_SCHEDULER;
    }

    /** Which groups of allocated devices count by default: kube-scheduler does not record earlier ones. */
    public GroupPolicy defaultPolicy() {
        return this == COMPANION ? GroupPolicy.SNAPSHOT : GroupPolicy.LIVE;
    }

    /** The options of its allocator, with all features. */
    public AllocatorOptions options(GroupsGate gate, GroupPolicy policy) {
        return new AllocatorOptions(gate, policy, this == COMPANION ? List.of(companionTaint()) : List.of());
    }

    private static DeviceToleration companionTaint() {
        DeviceTaint taint = Labels.COMPANION_TAINT;
        return new DeviceToleration(taint.key(), "Equal", taint.value(), taint.effect(), null);
    }
}
