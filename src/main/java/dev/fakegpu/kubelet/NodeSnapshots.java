package dev.fakegpu.kubelet;

import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.dra.ClaimNaming;
import dev.fakegpu.inventory.InventoryPlanner;
import dev.fakegpu.prepare.NodeInventory;
import dev.fakegpu.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Node;

/**
 * Takes snapshots of nodes.
 *
 * @param naming which claims of others the reasons of failed preparations name
 * @param scope whose pods are run, and with which devices
 */
public record NodeSnapshots(ObjectStores cluster, InventoryPlanner planner, ClaimNaming naming, Scope scope) {

    /** What the simulated kubelet is responsible for. */
    public enum Scope {
        /** Nodes that FakeGpus create, and devices of FakeGpus. */
        SIMULATED_NODES,
        /** All nodes; devices that no FakeGpu models are taken to be what their slices declare. */
        WHOLE_CLUSTER
    }

    /** Of simulated nodes only. */
    public NodeSnapshots(ObjectStores cluster, InventoryPlanner planner, ClaimNaming naming) {
        this(cluster, planner, naming, Scope.SIMULATED_NODES);
    }

    /** Whether the simulated kubelet runs the node's pods. */
    boolean isSimulated(Node node) {
        return scope == Scope.WHOLE_CLUSTER
                || SimulatedNode.isSimulated(node, name -> cluster.fakeGpus().get(null, name));
    }

    NodeSnapshot of(String node) {
        var inventory = new NodeInventory(
                planner,
                node,
                cluster.slicesFor(node),
                cluster.parsedSlices()::withGroups,
                name -> cluster.fakeGpus().get(null, name));
        return new NodeSnapshot(
                cluster, scope == Scope.WHOLE_CLUSTER ? inventory.withDevicesOfOthers() : inventory, naming);
    }
}
