package dev.fakegpu.cluster.preemption;

import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectLookup;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;

/**
 * Who uses a cluster.
 *
 * @param pods all of them, in the order in which those go that are equally important
 * @param budgets in the order in which they are asked
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
