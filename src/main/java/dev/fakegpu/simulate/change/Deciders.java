package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.OperatorSettings;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.SimulationOptions;
import java.util.Optional;

/** How the two schedulers of a cluster are assumed to decide. */
record Deciders(Assumptions companion, Assumptions kubeScheduler, SimulationOptions options) {

    static Deciders of(ClusterSnapshot cluster, GateSources gate, KubernetesVersion version) {
        Assumptions companion = Assumptions.of(cluster, Scheduler.COMPANION, gate);
        Assumptions kubeScheduler = Assumptions.of(cluster, Scheduler.KUBE_SCHEDULER, gate);
        var settings = new OperatorSettings(
                companion.gate(),
                companion.policy(),
                Assumptions.preemption(cluster),
                Assumptions.mixins(cluster),
                Optional.of(kubeScheduler.gate()));
        return new Deciders(
                companion, kubeScheduler, new SimulationOptions(Schedulers.KUBE, settings, played(cluster, version)));
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
