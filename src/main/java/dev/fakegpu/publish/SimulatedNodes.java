package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.Labels;
import dev.fakegpu.api.NodesSpec;
import dev.fakegpu.util.DeleteByUid;
import dev.fakegpu.watch.ObjectStore;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.api.model.TaintBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jboss.logging.Logger;

/** Nodes that exist for a FakeGpu only. They are created and removed here; {@code prepare} keeps them Ready and runs their pods. */
final class SimulatedNodes {

    private static final Logger LOG = Logger.getLogger(SimulatedNodes.class);

    /** What a node offers besides GPUs: enough that nothing but GPUs is ever short. */
    private static final Map<String, Quantity> CAPACITY = Map.of(
            "cpu", new Quantity("256"),
            "memory", new Quantity("2Ti"),
            "ephemeral-storage", new Quantity("4Ti"),
            "pods", new Quantity("1000"));

    private static final Taint SIMULATED = new TaintBuilder()
            .withKey(Labels.SIMULATED)
            .withEffect("NoSchedule")
            .build();

    private final KubernetesClient client;
    private final ObjectStore<Node> nodes;
    private final ObjectStore<Pod> pods;

    SimulatedNodes(KubernetesClient client, ObjectStore<Node> nodes, ObjectStore<Pod> pods) {
        this.client = client;
        this.nodes = nodes;
        this.pods = pods;
    }

    /**
     * What came of it.
     *
     * @param foreign names that are wanted, but belong to a node of somebody else
     * @param leaving whether a node that is too many still waits for its pods to end
     */
    record Result(List<String> foreign, boolean leaving) {}

    static boolean belongsTo(Node node, String fakeGpuName) {
        var labels = node.getMetadata().getLabels();
        return labels != null && labels.containsKey(Labels.SIMULATED) && fakeGpuName.equals(labels.get(Labels.FAKEGPU));
    }

    /** Creates the nodes that are missing and removes those that are too many. */
    Result reconcile(FakeGpu fakeGpu) {
        String name = fakeGpu.getMetadata().getName();
        List<String> wanted = TargetNodes.simulated(name, fakeGpu.getSpec().nodes());
        boolean gone = removeExcept(name, wanted);
        var foreign = wanted.stream()
                .filter(node -> !ensure(
                        fakeGpu,
                        Objects.requireNonNull(fakeGpu.getSpec().nodes().simulated()),
                        node))
                .toList();
        return new Result(foreign, !gone);
    }

    /** @return whether all are gone; if not, their pods are still ending */
    boolean removeAll(String fakeGpuName) {
        return removeExcept(fakeGpuName, List.of());
    }

    private boolean removeExcept(String fakeGpuName, List<String> wanted) {
        var keep = new HashSet<>(wanted);
        boolean gone = true;
        for (Node node : nodes.list()) {
            if (belongsTo(node, fakeGpuName)
                    && !keep.contains(node.getMetadata().getName())) {
                gone &= remove(node);
            }
        }
        return gone;
    }

    /** The pods go first: without the node nobody would be there to end them, and they would stay in Terminating. */
    private boolean remove(Node node) {
        var remaining = pods.list().stream()
                .filter(pod -> node.getMetadata().getName().equals(pod.getSpec().getNodeName()))
                .filter(pod -> !isOfDaemonSet(pod))
                .toList();
        remaining.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> DeleteByUid.delete(client, pod));
        if (!remaining.isEmpty()) {
            return false;
        }
        LOG.infof("removing simulated node %s", node.getMetadata().getName());
        DeleteByUid.delete(client, node);
        nodes.deleted(node);
        return true;
    }

    /** Its controller would make a new one at once, as long as there is the node. */
    private static boolean isOfDaemonSet(Pod pod) {
        return pod.getMetadata().getOwnerReferences().stream().anyMatch(owner -> "DaemonSet".equals(owner.getKind()));
    }

    private boolean ensure(FakeGpu fakeGpu, NodesSpec.Simulated spec, String name) {
        var existing = nodes.get(null, name);
        if (existing.isPresent()) {
            boolean ours = belongsTo(existing.get(), fakeGpu.getMetadata().getName());
            if (ours && isTainted(existing.get()) != spec.tainted()) {
                writeTaints(existing.get(), spec.tainted() ? List.of(SIMULATED) : List.of());
            }
            return ours;
        }
        LOG.infof("creating simulated node %s", name);
        nodes.written(client.resource(node(fakeGpu, spec, name)).create());
        return true;
    }

    private static Node node(FakeGpu fakeGpu, NodesSpec.Simulated spec, String name) {
        var node = new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of(
                        "kubernetes.io/hostname",
                        name,
                        "kubernetes.io/os",
                        "linux",
                        "kubernetes.io/arch",
                        "amd64",
                        Labels.SIMULATED,
                        "true",
                        Labels.FAKEGPU,
                        fakeGpu.getMetadata().getName(),
                        Labels.MANAGED_BY,
                        Labels.OPERATOR))
                .withOwnerReferences(OwnerReferences.reference(fakeGpu))
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withCapacity(CAPACITY)
                .withAllocatable(CAPACITY)
                .endStatus();
        if (spec.tainted()) {
            node.editSpec().withTaints(SIMULATED).endSpec();
        }
        return node.build();
    }

    private static boolean isTainted(Node node) {
        return node.getSpec() != null
                && node.getSpec().getTaints().stream().anyMatch(taint -> Labels.SIMULATED.equals(taint.getKey()));
    }

    /** Replaces our own taint by these; taints of others stay. */
    private void writeTaints(Node node, List<Taint> ours) {
        nodes.written(client.resource(new NodeBuilder(node)
                        .editSpec()
                        .removeMatchingFromTaints(taint -> Labels.SIMULATED.equals(taint.getKey()))
                        .addAllToTaints(ours)
                        .endSpec()
                        .build())
                .update());
    }
}
