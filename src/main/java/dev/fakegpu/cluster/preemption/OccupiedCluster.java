package dev.fakegpu.cluster.preemption;

import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectLookup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;

/**
 * The users of a cluster.
 *
 * @param pods all pods, in the order in which equally important ones are preempted
 * @param budgets in the order in which they are checked
 */
public record OccupiedCluster(
        List<Pod> pods,
        ObjectLookup<ResourceClaim> claims,
        ObjectLookup<PodGroup> groups,
        List<PodDisruptionBudget> budgets) {

    public OccupiedCluster {
        pods = List.copyOf(pods);
        budgets = List.copyOf(budgets);
    }
}
