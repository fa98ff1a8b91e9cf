package dev.fakegpu.api;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides which nodes are simulated, so that this operator acts as their kubelet: nodes that belong to an existing FakeGpu and have a
 * {@code spec.providerID} that begins with {@value #PROVIDER}. The API server rejects changes to a provider ID, so a node that a cloud
 * provider or a kubelet has registered never becomes a simulated one. The label {@value Labels#SIMULATED} is only for selectors.
 */
public final class SimulatedNode {

    private static final String PROVIDER = "fakegpu://";

    /** Amounts of resources that the FakeGpu does not set. They are large, so that pods run out of GPUs before anything else. */
    public static final Map<String, Quantity> CAPACITY = Map.of(
            "cpu", new Quantity("256"),
            "memory", new Quantity("2Ti"),
            "ephemeral-storage", new Quantity("4Ti"),
            "pods", new Quantity("1000"));

    /** The key of the taint that admission adds to every new node. */
    public static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

    /** The common prefix of the reasons {@code NodeStatusUnknown} and {@code NodeStatusNeverUpdated}. */
    private static final String OF_LIFECYCLE_CONTROLLER = "NodeStatus";

    private SimulatedNode() {}

    /** {@code spec.providerID} of a node of the FakeGpu. */
    public static String providerId(FakeGpu fakeGpu, String nodeName) {
        return PROVIDER + fakeGpu.getMetadata().getName() + "/" + nodeName;
    }

    /** @param fakeGpus finds an existing FakeGpu by name */
    public static boolean isSimulated(Node node, Function<String, Optional<FakeGpu>> fakeGpus) {
        return isOursOrUnset(node) && FakeGpuOwner.of(node, fakeGpus).isPresent();
    }

    public static boolean isSimulatedFor(Node node, FakeGpu fakeGpu) {
        return isOursOrUnset(node) && FakeGpuOwner.owns(fakeGpu, node);
    }

    /**
     * Accepts nodes without a provider ID, since earlier versions of the operator did not set one. {@link #hasProviderId} is false until it
     * is added.
     */
    private static boolean isOursOrUnset(Node node) {
        String id = providerId(node);
        return id.isEmpty() || id.startsWith(PROVIDER);
    }

    public static boolean hasProviderId(Node node) {
        return !providerId(node).isEmpty();
    }

    /** Whether the node is ready for pods, as far as its kubelet determines that. */
    public static boolean isReadyForPods(Node node) {
        return Readiness.isNodeReady(node) && !hasNotReadyTaint(node);
    }

    /**
     * Whether the node was set to not Ready by a user or program other than the node lifecycle controller, which does so while the operator
     * is down. The reason of the condition tells them apart.
     */
    public static boolean isSetNotReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Ready".equals(condition.getType())
                                && !"True".equals(condition.getStatus())
                                && !Objects.requireNonNullElse(condition.getReason(), "")
                                        .startsWith(OF_LIFECYCLE_CONTROLLER));
    }

    /**
     * Whether the node has the taint that admission adds. A taint of the same key with the effect {@code NoExecute} does not count, since
     * admission does not add it.
     */
    public static boolean hasNotReadyTaint(Node node) {
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        return taints.stream().anyMatch(SimulatedNode::isNotReadyTaint);
    }

    public static boolean isNotReadyTaint(Taint taint) {
        return NOT_READY_TAINT.equals(taint.getKey()) && "NoSchedule".equals(taint.getEffect());
    }

    private static String providerId(Node node) {
        return node.getSpec() == null
                ? ""
                : Objects.requireNonNullElse(node.getSpec().getProviderID(), "");
    }
}
