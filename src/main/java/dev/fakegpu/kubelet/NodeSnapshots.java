package dev.fakegpu.kubelet;

import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.watch.ClusterObjects;

/**
 * Takes snapshots of simulated nodes.
 *
 * @param naming which claims of others the reasons of failed preparations name
 */
public record NodeSnapshots(ClusterObjects cluster, InventoryPlanner planner, ClaimNaming naming) {

    NodeSnapshot of(String node) {
        return new NodeSnapshot(cluster, planner, naming, node);
    }
}
