package dev.fakegpu.simulate.change;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.pending.PodDemand;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.Scheduler;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The nodes on which a pod or claim would get devices in one state of a cluster. */
final class FittingNodes {

    private static final long MAX_STEPS = 1_000_000;

    private final ClusterSnapshot cluster;
    private final Deciders deciders;
    private final Selectors selectors;

    FittingNodes(ClusterSnapshot cluster, Deciders deciders, Selectors selectors) {
        this.cluster = cluster;
        this.deciders = deciders;
        this.selectors = selectors;
    }

    /** The nodes for a pod that has no node. */
    Map<String, List<Allocation>> of(Pod pod) {
        var demand = new PodDemand(
                pod, cluster.podClaims(pod), cluster.usage(), cluster.extendedResources(), cluster.devices());
        List<SchedulableNode> nodes = demand.fitting(cluster.nodes());
        return of(Scheduler.of(pod), demand.claims(nodes), nodes);
    }

    /**
     * The nodes by name, each with the devices for the claims, in the given order. Empty if an error on one of the nodes would end
     * kube-scheduler's attempt.
     *
     * @param nodes the nodes that fit in all respects except devices
     */
    Map<String, List<Allocation>> of(Scheduler scheduler, List<Claim> claims, List<SchedulableNode> nodes) {
        var allocator = new Allocator(cluster.context(deciders.of(scheduler), selectors));
        var found = new LinkedHashMap<String, List<Allocation>>();
        for (SchedulableNode node : nodes) {
            Outcome outcome = allocator.allocate(node.devices(), claims, SearchLimit.steps(MAX_STEPS));
            if (outcome instanceof Outcome.Allocated allocated) {
                found.put(node.name(), allocated.allocations());
            } else if (outcome.isFatal() && scheduler == Scheduler.KUBE_SCHEDULER) {
                return Map.of();
            }
        }
        return found;
    }
}
