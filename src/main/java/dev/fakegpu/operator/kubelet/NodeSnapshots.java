package dev.fakegpu.operator.kubelet;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.KwokNode;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.SliceReader;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.prepare.NodeInventory;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes snapshots of nodes.
 *
 * @param naming which claims of others may be named in the reasons of failed preparations
 * @param scope which pods are run, and with which devices
 */
public record NodeSnapshots(ObjectStores cluster, InventoryPlanner planner, ClaimNaming naming, Scope scope) {

    /** What the simulated kubelet is responsible for. */
    public enum Scope {
        /** Nodes that FakeGpus create, pods with claims on nodes of KWOK, and devices of FakeGpus. */
        SIMULATED_NODES,
        /** All nodes. Devices that no FakeGpu models are assumed to be what their slices declare. */
        WHOLE_CLUSTER
    }

    /** Takes snapshots with the scope {@link Scope#SIMULATED_NODES}. */
    public NodeSnapshots(ObjectStores cluster, InventoryPlanner planner, ClaimNaming naming) {
        this(cluster, planner, naming, Scope.SIMULATED_NODES);
    }

    /**
     * Whether the simulated kubelet runs the pod. It runs every pod of a simulated node; on a node of KWOK, it runs the pods with claims if
     * a FakeGpu of the node says so, and KWOK runs the others.
     */
    boolean runs(Pod pod) {
        return node(pod).filter(this::isSimulated).isPresent() || runsBesideKwok(pod);
    }

    /** Whether KWOK manages the pod's node, and may itself set the pod to Running. */
    boolean runsBesideKwok(Pod pod) {
        return node(pod)
                .filter(node -> !isSimulated(node)
                        && isPreparationSimulated(node)
                        && !PodClaims.names(pod).isEmpty())
                .isPresent();
    }

    private Optional<Node> node(Pod pod) {
        return Optional.ofNullable(pod.getSpec().getNodeName())
                .flatMap(name -> cluster.nodes().get(null, name));
    }

    private boolean isSimulated(Node node) {
        return scope == Scope.WHOLE_CLUSTER ? isReachable(node) : SimulatedNode.isSimulated(node, this::fakeGpu);
    }

    /** Returns false if the node's kubelet is down; nothing happens to its pods then. */
    static boolean isReachable(Node node) {
        return ReadyNode.condition(node, "Ready")
                .filter(condition -> "Unknown".equals(condition.getStatus()))
                .isEmpty();
    }

    /** Uses what is published instead of {@code spec.nodes}, so that pods still terminate in order after a change of it. */
    private boolean isPreparationSimulated(Node node) {
        return KwokNode.isKept(node)
                && cluster.slicesFor(node.getMetadata().getName()).stream().anyMatch(this::isPreparationSimulated);
    }

    /** Whether the slice belongs to one node and its FakeGpu has preparation simulated. */
    boolean isPreparationSimulated(ResourceSlice slice) {
        return slice.getSpec().getNodeName() != null
                && FakeGpuOwner.of(slice, this::fakeGpu)
                        .filter(fakeGpu -> fakeGpu.getSpec().nodes().isPreparationSimulated())
                        .isPresent();
    }

    private Optional<FakeGpu> fakeGpu(String name) {
        return cluster.fakeGpus().get(null, name);
    }

    NodeSnapshot of(String node) {
        List<ResourceSlice> slices = cluster.slicesFor(node);
        var inventory = new NodeInventory(planner, node, slices, cluster.parsedSlices()::withGroups, this::fakeGpu);
        return new NodeSnapshot(
                cluster,
                scope == Scope.WHOLE_CLUSTER
                        ? inventory.withDevicesOfOthers(cluster.slicesIn(pools(slices)))
                        : inventory,
                naming);
    }

    private static Set<PoolId> pools(List<ResourceSlice> slices) {
        return slices.stream().map(SliceReader::pool).collect(Collectors.toSet());
    }
}
