package dev.fakegpu.simulate;

import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.TieBreak;
import dev.fakegpu.simulate.memory.KubernetesVersion;
import dev.fakegpu.simulate.memory.ServerGates;
import java.time.Duration;
import java.util.Optional;

/**
 * What a simulated cluster is like.
 *
 * @param gate whether the companion enforces compatibility groups
 * @param gateOfKubeScheduler whether kube-scheduler does, where the version of Kubernetes has them
 * @param groupPolicy which groups of allocated devices count for the companion; kube-scheduler keeps no record of earlier ones
 * @param server what Kubernetes' own programs have and know
 * @param ties what stands for kube-scheduler's choice at random
 */
public record SimulationOptions(
        Schedulers schedulers,
        GroupsGate gate,
        GroupsGate gateOfKubeScheduler,
        GroupPolicy groupPolicy,
        ServerGates server,
        TieBreak ties) {

    private static final Duration BINDING_TIMEOUT = Duration.ofMinutes(10);

    /** The companion on the newest version of Kubernetes, with its default settings. */
    public static final SimulationOptions DEFAULT =
            new SimulationOptions(Schedulers.COMPANION, GroupsGate.ON, GroupPolicy.SNAPSHOT, KubernetesVersion.V1_37);

    public SimulationOptions(
            Schedulers schedulers,
            GroupsGate gate,
            GroupsGate gateOfKubeScheduler,
            GroupPolicy groupPolicy,
            KubernetesVersion version) {
        this(schedulers, gate, gateOfKubeScheduler, groupPolicy, ServerGates.of(version), TieBreak.FIRST);
    }

    /** With the same gate for both schedulers. */
    public SimulationOptions(
            Schedulers schedulers, GroupsGate gate, GroupPolicy groupPolicy, KubernetesVersion version) {
        this(schedulers, gate, gate, groupPolicy, version);
    }

    public SimulationOptions with(Schedulers other) {
        return new SimulationOptions(other, gate, gateOfKubeScheduler, groupPolicy, server, ties);
    }

    /** @param other of both schedulers */
    public SimulationOptions with(GroupsGate other) {
        return new SimulationOptions(schedulers, other, other, groupPolicy, server, ties);
    }

    public SimulationOptions with(GroupPolicy other) {
        return new SimulationOptions(schedulers, gate, gateOfKubeScheduler, other, server, ties);
    }

    public SimulationOptions with(KubernetesVersion other) {
        return new SimulationOptions(schedulers, gate, gateOfKubeScheduler, groupPolicy, server.with(other), ties);
    }

    public SimulationOptions with(ServerGates other) {
        return new SimulationOptions(schedulers, gate, gateOfKubeScheduler, groupPolicy, other, ties);
    }

    public SimulationOptions with(TieBreak other) {
        return new SimulationOptions(schedulers, gate, gateOfKubeScheduler, groupPolicy, server, other);
    }

    /** Of kube-scheduler, for the publisher. */
    SchedulerGate schedulerGate() {
        if (schedulers == Schedulers.COMPANION) {
            return SchedulerGate.Unknown;
        }
        return switch (servedGate()) {
            case ON -> SchedulerGate.On;
            case OFF -> SchedulerGate.Off;
            case UNAWARE -> SchedulerGate.Unaware;
        };
    }

    /** For who explains what happens in such a cluster. */
    public OperatorSettings asSettings() {
        return new OperatorSettings(
                gate, groupPolicy, PreemptionSetting.DISABLED, MixinsGate.ON, Optional.of(servedGate()));
    }

    CompanionOptions ofCompanion() {
        return new CompanionOptions(Feature.all(), gate, groupPolicy, BINDING_TIMEOUT, 1);
    }

    /** Versions without groups ignore them. */
    private GroupsGate servedGate() {
        return server.fields().serves(SliceField.COMPATIBILITY_GROUPS) ? gateOfKubeScheduler : GroupsGate.UNAWARE;
    }

    CompanionOptions ofKubeScheduler() {
        return new CompanionOptions(server.features(), servedGate(), GroupPolicy.LIVE, BINDING_TIMEOUT, 1);
    }
}
