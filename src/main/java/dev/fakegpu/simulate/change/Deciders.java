package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.KubernetesVersion;

/** How the two schedulers of a cluster are assumed to decide. */
record Deciders(Assumptions companion, Assumptions kubeScheduler, KubernetesVersion version) {

    static Deciders of(ClusterSnapshot cluster, GateSources gate) {
        return new Deciders(
                Assumptions.of(cluster, Scheduler.COMPANION, gate),
                Assumptions.of(cluster, Scheduler.KUBE_SCHEDULER, gate),
                version(cluster));
    }

    /** Groups that are only in an annotation were dropped by the API server. */
    private static KubernetesVersion version(ClusterSnapshot cluster) {
        boolean dropsGroups = cluster.slices().stream()
                .anyMatch(slice -> slice.hasGroups() && !slice.asStored().usesCompatibilityGroups());
        return dropsGroups ? KubernetesVersion.V1_36 : KubernetesVersion.V1_37;
    }

    Assumptions of(Scheduler scheduler) {
        return scheduler == Scheduler.COMPANION ? companion : kubeScheduler;
    }

    SimulationOptions options() {
        return new SimulationOptions(
                Schedulers.KUBE, companion.gate(), kubeScheduler.gate(), companion.policy(), version);
    }

    boolean decideAs(Deciders other) {
        return options().equals(other.options());
    }
}
