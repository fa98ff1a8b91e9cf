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
 * Which nodes are simulated, so that this operator plays their kubelet: those that belong to an existing FakeGpu and have a {@code
 * spec.providerID} of {@value #PROVIDER}. The API server does not let a provider ID be changed once it is set, so a node that a cloud
 * provider or kubelet has registered never becomes a simulated one. The label {@value Labels#SIMULATED} only serves selectors.
 */
public final class SimulatedNode {

    private static final String PROVIDER = "fakegpu://";

    /** Unless the FakeGpu says otherwise: large enough that only GPUs ever run out. */
    public static final Map<String, Quantity> CAPACITY = Map.of(
            "cpu", new Quantity("256"),
            "memory", new Quantity("2Ti"),
            "ephemeral-storage", new Quantity("4Ti"),
            "pods", new Quantity("1000"));

    /** Key of the taint that admission adds to every new node. */
    public static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

    /** The reasons {@code NodeStatusUnknown} and {@code NodeStatusNeverUpdated} begin so. */
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

    /** Versions of the operator that set no provider ID created nodes without one; {@link #hasProviderId} is false until it is added. */
    private static boolean isOursOrUnset(Node node) {
        String id = providerId(node);
        return id.isEmpty() || id.startsWith(PROVIDER);
    }

    public static boolean hasProviderId(Node node) {
        return !providerId(node).isEmpty();
    }

    /** Whether schedulers place pods on the node, as far as its kubelet decides that. */
    public static boolean isReadyForPods(Node node) {
        return Readiness.isNodeReady(node) && !hasNotReadyTaint(node);
    }

    /**
     * Whether somebody has set the node to be not Ready, with a reason of their own: the node lifecycle controller, which does so when the
     * operator was away for some time, has others.
     */
    public static boolean isSetNotReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> "Ready".equals(condition.getType())
                                && !"True".equals(condition.getStatus())
                                && !Objects.requireNonNullElse(condition.getReason(), "")
                                        .startsWith(OF_LIFECYCLE_CONTROLLER));
    }

    /** Whether the node has the taint of admission; what somebody else adds, with effect {@code NoExecute}, is not meant. */
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
