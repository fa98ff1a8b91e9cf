package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuOwner;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.api.SimulatedNode;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** Creates and removes the simulated nodes of a FakeGpu. The simulated kubelet keeps them Ready and runs their pods. */
public final class SimulatedNodes {

    private static final Logger LOG = Logger.getLogger(SimulatedNodes.class);

    private static final Taint SIMULATED = new TaintBuilder()
            .withKey(Labels.SIMULATED)
            .withEffect("NoSchedule")
            .build();

    private final ObjectClient client;
    private final ObjectStore<Node> nodes;
    private final ObjectStore<Pod> pods;

    /** By name, the nodes that need no change. */
    private final Map<String, Adjusted> adjusted = new ConcurrentHashMap<>();

    /** The version of a node and the settings that it was adjusted to. */
    private record Adjusted(String version, String fakeGpu, NodesSpec.Simulated spec) {}

    SimulatedNodes(ObjectClient client, ObjectStore<Node> nodes, ObjectStore<Pod> pods) {
        this.client = client;
        this.nodes = nodes;
        this.pods = pods;
    }

    /**
     * The result of reconciling the nodes.
     *
     * @param foreign names of required nodes that are taken by nodes of others
     * @param terminating whether a surplus node is kept until its pods have terminated
     * @param desired the number of required nodes
     * @param remaining how many of them are left for another turn
     * @param notReady required nodes that belong to the FakeGpu but that schedulers do not use yet
     */
    public record Result(
            List<String> foreign, boolean terminating, int desired, int remaining, List<String> notReady) {}

    /**
     * Creates missing nodes, up to the limit of the turn, and removes surplus ones.
     *
     * @param fakeGpu with its active faults applied
     */
    Result reconcile(FakeGpu fakeGpu, Instant now, PublishTurn turn) {
        var spec = NodeSettings.simulated(fakeGpu.getSpec());
        var named = TargetNodes.simulated(
                fakeGpu.getMetadata().getName(), fakeGpu.getSpec().nodes());
        boolean gone = removeExcept(fakeGpu, named);
        var desired =
                named.stream().filter(node -> !NodeFaults.isGone(spec, node)).toList();
        if (desired.size() < named.size()) {
            removeFailed(fakeGpu);
        }
        Set<String> foreign = ConcurrentHashMap.newKeySet();
        int remaining = 0;
        if (spec != null) {
            var work = desired.stream()
                    .filter(node -> !isKnown(fakeGpu, spec, node))
                    .toList();
            remaining = work.size()
                    - turn.forEach(work, node -> {
                        if (!ensure(fakeGpu, spec, node, now)) {
                            foreign.add(node);
                        }
                    });
        }
        return new Result(
                desired.stream().filter(foreign::contains).toList(),
                !gone,
                desired.size(),
                remaining,
                notReady(fakeGpu, desired));
    }

    private boolean isKnown(FakeGpu fakeGpu, NodesSpec.Simulated spec, String name) {
        return nodes.get(null, name)
                .filter(node -> adjusted(fakeGpu, spec, node).equals(adjusted.get(name)))
                .isPresent();
    }

    private static Adjusted adjusted(FakeGpu fakeGpu, NodesSpec.Simulated spec, Node node) {
        return new Adjusted(
                node.getMetadata().getResourceVersion(), fakeGpu.getMetadata().getUid(), spec);
    }

    private List<String> notReady(FakeGpu fakeGpu, List<String> desired) {
        return desired.stream()
                .filter(name -> nodes.get(null, name)
                        .filter(node -> SimulatedNode.isSimulatedFor(node, fakeGpu))
                        .filter(node -> !SimulatedNode.isReadyForPods(node))
                        .isPresent())
                .toList();
    }

    /** Removes all nodes of a deleted FakeGpu. No kubelet is left that could terminate their pods, so the pods are deleted immediately. */
    void removeAll(FakeGpu fakeGpu) {
        var owned = nodes.list().stream()
                .filter(node -> SimulatedNode.isSimulatedFor(node, fakeGpu))
                .toList();
        var names = Stream.concat(owned.stream().map(node -> node.getMetadata().getName()), collected(fakeGpu))
                .collect(Collectors.toSet());
        pods.list().stream()
                .filter(pod -> names.contains(pod.getSpec().getNodeName()) && !isOfDaemonSet(pod))
                .forEach(client::deleteImmediately);
        owned.forEach(this::delete);
    }

    /** The names of its nodes that the garbage collector has already removed. */
    private Stream<String> collected(FakeGpu fakeGpu) {
        return UnreadableFields.isReadable(fakeGpu)
                ? TargetNodes.simulated(
                                fakeGpu.getMetadata().getName(),
                                fakeGpu.getSpec().nodes())
                        .stream()
                        .filter(name -> nodes.get(null, name).isEmpty())
                : Stream.empty();
    }

    /** Removes nodes because of a fault, and leaves their pods, as when a machine disappears. */
    private void removeFailed(FakeGpu fakeGpu) {
        var spec = fakeGpu.getSpec().nodes().simulated();
        nodes.list().stream()
                .filter(node -> SimulatedNode.isSimulatedFor(node, fakeGpu))
                .filter(node -> NodeFaults.isGone(spec, node.getMetadata().getName()))
                .forEach(this::delete);
    }

    /** @return whether all nodes are gone; if not, they still have terminating pods */
    private boolean removeExcept(FakeGpu fakeGpu, List<String> desired) {
        var keep = new HashSet<>(desired);
        boolean gone = true;
        for (Node node : nodes.list()) {
            if (SimulatedNode.isSimulatedFor(node, fakeGpu)
                    && !keep.contains(node.getMetadata().getName())) {
                gone &= remove(node);
            }
        }
        return gone;
    }

    /** Deletes the pods first, since nothing would terminate them without the node. @return whether the node was deleted */
    private boolean remove(Node node) {
        var remaining = pods.list().stream()
                .filter(pod -> node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .filter(pod -> !isOfDaemonSet(pod))
                .toList();
        remaining.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> client.delete(pod));
        if (!remaining.isEmpty()) {
            return false;
        }
        delete(node);
        return true;
    }

    private void delete(Node node) {
        LOG.infof("removing simulated node %s", node.getMetadata().getName());
        client.delete(node);
        nodes.deleted(node);
        adjusted.remove(node.getMetadata().getName());
    }

    /** The DaemonSet controller would immediately replace the pod as long as the node exists. */
    private static boolean isOfDaemonSet(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream().anyMatch(owner -> "DaemonSet".equals(owner.getKind()));
    }

    /** @return whether the node belongs to the FakeGpu */
    private boolean ensure(FakeGpu fakeGpu, NodesSpec.Simulated spec, String name, Instant now) {
        var existing = nodes.get(null, name);
        if (existing.isEmpty()) {
            LOG.debugf("creating simulated node %s", name);
            nodes.written(client.create(of(fakeGpu, spec, name, now)));
            return true;
        }
        boolean ours = SimulatedNode.isSimulatedFor(existing.get(), fakeGpu);
        if (ours) {
            adjust(existing.get(), fakeGpu, spec, now);
        }
        return ours;
    }

    /** A new simulated node, whose status is not ready yet. */
    private static Node of(FakeGpu fakeGpu, NodesSpec.Simulated spec, String name, Instant now) {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(
                        "kubernetes.io/hostname", name, "kubernetes.io/os", "linux", "kubernetes.io/arch", "amd64"))
                .addToLabels(labels(fakeGpu))
                .withOwnerReferences(FakeGpuOwner.reference(fakeGpu))
                .endMetadata()
                .withNewSpec()
                .withProviderID(SimulatedNode.providerId(fakeGpu, name))
                .withTaints(taints(spec))
                .endSpec()
                .withNewStatus()
                .withCapacity(SimulatedNode.CAPACITY)
                .withAllocatable(SimulatedNode.CAPACITY)
                .endStatus()
                .build();
        return NodeFaults.apply(NodeSettings.apply(node, spec), spec, now);
    }

    private static List<Taint> taints(NodesSpec.Simulated spec) {
        return spec.tainted() ? List.of(SIMULATED) : List.of();
    }

    private static Map<String, String> labels(FakeGpu fakeGpu) {
        return Map.of(
                Labels.SIMULATED,
                "true",
                Labels.FAKEGPU,
                fakeGpu.getMetadata().getName(),
                Labels.MANAGED_BY,
                Labels.OPERATOR);
    }

    /**
     * Adjusts the node, and writes nothing if it is as desired. The status is written first, because the annotation that lists what to
     * remove from it must not be lost before.
     */
    private void adjust(Node node, FakeGpu fakeGpu, NodesSpec.Simulated spec, Instant now) {
        Node reported = client.updateStatus(node, NodeFaults.apply(NodeSettings.apply(node, spec), spec, now));
        Node written = client.update(reported, NodeFaults.apply(adjustedNode(reported, fakeGpu, spec), spec, now));
        nodes.written(written);
        adjusted.put(node.getMetadata().getName(), adjusted(fakeGpu, spec, written));
    }

    /** A node of the FakeGpu as desired without faults. */
    private static Node adjustedNode(Node node, FakeGpu fakeGpu, NodesSpec.Simulated spec) {
        var changed = new NodeBuilder(NodeSettings.apply(node, spec))
                .editMetadata()
                .addToLabels(labels(fakeGpu))
                .endMetadata()
                .editOrNewSpec()
                .endSpec();
        if (!SimulatedNode.hasProviderId(node)) {
            changed.editSpec()
                    .withProviderID(
                            SimulatedNode.providerId(fakeGpu, node.getMetadata().getName()))
                    .endSpec();
        }
        boolean tainted =
                node.getSpec() != null && node.getSpec().getTaints().stream().anyMatch(SimulatedNodes::isSimulated);
        if (tainted != spec.tainted()) {
            changed.editSpec()
                    .removeMatchingFromTaints(taint -> Labels.SIMULATED.equals(taint.getKey()))
                    .addAllToTaints(taints(spec))
                    .endSpec();
        }
        return changed.build();
    }

    private static boolean isSimulated(Taint taint) {
        return Labels.SIMULATED.equals(taint.getKey());
    }
}
