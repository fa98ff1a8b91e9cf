package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.ServerGates;
import java.util.Optional;

/**
 * How the two schedulers of a cluster are assumed to decide.
 *
 * @param gate the sources of the assumptions
 */
record Deciders(Assumptions companion, Assumptions kubeScheduler, SimulationOptions options, GateSources gate) {

    static Deciders of(ClusterSnapshot cluster, GateSources given, KubernetesVersion version) {
        ServerGates server = ServerGates.of(played(cluster, version));
        GateSources gate = server.fields().serves(SliceField.COMPATIBILITY_GROUPS) ? given : given.withoutGroups();
        Assumptions companion = Assumptions.of(cluster, Scheduler.COMPANION, gate);
        Assumptions kubeScheduler = Assumptions.of(cluster, Scheduler.KUBE_SCHEDULER, gate);
        var settings = new OperatorSettings(
                companion.gate(),
                companion.policy(),
                Assumptions.preemption(cluster),
                Assumptions.mixins(cluster),
                Optional.of(kubeScheduler.gate()));
        return new Deciders(
                companion, kubeScheduler, new SimulationOptions(Schedulers.KUBE, settings, server.version()), gate);
    }

    /** Groups that are only in an annotation were dropped from the spec by the API server. */
    private static KubernetesVersion played(ClusterSnapshot cluster, KubernetesVersion version) {
        boolean dropsGroups = cluster.slices().stream()
                .anyMatch(slice -> slice.hasGroups() && !slice.asStored().usesCompatibilityGroups());
        return dropsGroups && version == KubernetesVersion.V1_37 ? KubernetesVersion.V1_36 : version;
    }

    Assumptions of(Scheduler scheduler) {
        return scheduler == Scheduler.COMPANION ? companion : kubeScheduler;
    }

    boolean decideAs(Deciders other) {
        return options.equals(other.options);
    }
}
