package dev.fakegpu.simulate;

import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import dev.fakegpu.operator.schedule.settings.CompanionOptions;
import dev.fakegpu.operator.schedule.settings.TieBreak;
import dev.fakegpu.simulate.memory.ServerGates;
import java.time.Duration;
import java.util.Optional;

/**
 * The properties of a simulated cluster.
 *
 * @param settings those with which the operator starts; the gate of kube-scheduler counts where the version of Kubernetes has it, and is the
 *     companion's if it is empty
 * @param server what Kubernetes' own programs have and know
 * @param ties what stands for kube-scheduler's choice at random
 */
public record SimulationOptions(Schedulers schedulers, OperatorSettings settings, ServerGates server, TieBreak ties) {

    private static final Duration BINDING_TIMEOUT = Duration.ofMinutes(10);

    /** The companion with its default settings on the newest version of Kubernetes. */
    public static final SimulationOptions DEFAULT =
            new SimulationOptions(Schedulers.COMPANION, GroupsGate.ON, GroupPolicy.SNAPSHOT, KubernetesVersion.V1_37);

    public SimulationOptions(Schedulers schedulers, OperatorSettings settings, KubernetesVersion version) {
        this(schedulers, settings, ServerGates.of(version), TieBreak.FIRST);
    }

    /** A copy with the same gate for both schedulers. */
    public SimulationOptions(
            Schedulers schedulers, GroupsGate gate, GroupPolicy groupPolicy, KubernetesVersion version) {
        this(
                schedulers,
                new OperatorSettings(gate, groupPolicy, PreemptionSetting.DISABLED, MixinsGate.ON, Optional.empty()),
                version);
    }

    public SimulationOptions with(Schedulers other) {
        return new SimulationOptions(other, settings, server, ties);
    }

    public SimulationOptions with(OperatorSettings other) {
        return new SimulationOptions(schedulers, other, server, ties);
    }

    /** @param other the gate of both schedulers */
    public SimulationOptions with(GroupsGate other) {
        return with(settings.with(other));
    }

    public SimulationOptions with(GroupPolicy other) {
        return with(settings.with(other));
    }

    /** With the settings of a cluster's operator that are no options. */
    public SimulationOptions startedAs(ClusterSnapshot cluster) {
        return with(new OperatorSettings(
                settings.gate(),
                settings.groupPolicy(),
                Assumptions.preemption(cluster),
                Assumptions.mixins(cluster),
                settings.gateOfKubeScheduler()));
    }

    public SimulationOptions with(KubernetesVersion other) {
        return with(server.with(other));
    }

    public SimulationOptions with(ServerGates other) {
        return new SimulationOptions(schedulers, settings, other, ties);
    }

    public SimulationOptions with(TieBreak other) {
        return new SimulationOptions(schedulers, settings, server, other);
    }

    /** The gate of kube-scheduler, for the publisher. */
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

    /** The options for explanations of what happens in such a cluster. */
    public OperatorSettings asSettings() {
        return settings.withKubeScheduler(servedGate());
    }

    CompanionOptions ofCompanion() {
        return new CompanionOptions(Feature.all(), settings.gate(), settings.groupPolicy(), BINDING_TIMEOUT, 1)
                .with(settings.preemption())
                .with(settings.mixins());
    }

    /** The gate for a version. Versions without groups ignore them. */
    private GroupsGate servedGate() {
        return server.fields().serves(SliceField.COMPATIBILITY_GROUPS)
                ? settings.gateOfKubeScheduler().orElse(settings.gate())
                : GroupsGate.UNAWARE;
    }

    CompanionOptions ofKubeScheduler() {
        return new CompanionOptions(server.features(), servedGate(), GroupPolicy.LIVE, BINDING_TIMEOUT, 1);
    }
}
