package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.wire.NodeAllocatableUses;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Taint;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides whether a node's kubelet admits a pod, no matter who chose the node. It does so once, and a pod that it rejects fails. Upstream:
 * {@code pkg/kubelet/lifecycle/predicate.go}, without the preemption for critical pods.
 */
public final class NodeAdmission {

    /** The beginning of a rejected pod's message ({@code rejectPod} of {@code pkg/kubelet/kubelet.go}). */
    private static final String REJECTED = "Pod was rejected: ";

    private static final int MILLI = 3;

    private NodeAdmission() {}

    /**
     * Why a pod is not admitted.
     *
     * @param reason the reason of the pod's status and of the Event, such as {@code OutOfcpu}
     */
    public record Rejection(String reason, String message) {

        private static Rejection byPlugin(String plugin, String message) {
            return new Rejection(plugin, "Predicate %s failed: %s".formatted(plugin, message));
        }

        private static Rejection outOf(String resource, BigDecimal requested, BigDecimal used, BigDecimal capacity) {
            return new Rejection(
                    "OutOf" + resource,
                    "Node didn't have enough resource: %s, requested: %s, used: %s, capacity: %s"
                            .formatted(
                                    resource,
                                    units(resource, requested),
                                    units(resource, used),
                                    units(resource, capacity)));
        }

        /** The amount in thousandths of CPUs, and otherwise in whole units. */
        private static String units(String resource, BigDecimal amount) {
            BigDecimal units = resource.equals("cpu") ? amount.movePointRight(MILLI) : amount;
            return units.setScale(0, RoundingMode.CEILING).toPlainString();
        }

        /** Why the pod has ended. */
        public String sentence(Pod pod) {
            return "node %s rejected it (%s): %s".formatted(pod.getSpec().getNodeName(), reason, message);
        }

        /** The message of the pod's status. */
        public String ofStatus() {
            return REJECTED + message;
        }
    }

    /** Why the pod's node has rejected it; empty if it has not. */
    public static Optional<Rejection> rejection(Pod pod) {
        var status = pod.getStatus();
        return status != null
                        && "Failed".equals(status.getPhase())
                        && status.getReason() != null
                        && status.getMessage() != null
                        && status.getMessage().startsWith(REJECTED)
                ? Optional.of(
                        new Rejection(status.getReason(), status.getMessage().substring(REJECTED.length())))
                : Optional.empty();
    }

    public static boolean isRejected(Pod pod) {
        return rejection(pod).isPresent();
    }

    /**
     * Why the node would reject the pod; empty if it would admit it.
     *
     * @param others the pods that the node has admitted and that have not ended
     */
    public static Optional<Rejection> rejection(Pod pod, Node node, Collection<Pod> others) {
        var usage = new NodeUsage();
        others.forEach(usage::update);
        return tooManyPods(node, usage)
                .or(() -> shortage(pod, node, usage))
                .or(() -> NodeFit.matchesSelector(node, pod)
                        ? Optional.empty()
                        : Optional.of(Rejection.byPlugin("NodeAffinity", FitMessages.notSelected())))
                .or(() -> arePortsFree(pod, others)
                        ? Optional.empty()
                        : Optional.of(Rejection.byPlugin("NodePorts", FitMessages.portsNotFree())))
                .or(() -> isRepelled(pod, node)
                        ? Optional.of(Rejection.byPlugin("TaintToleration", FitMessages.notTolerated()))
                        : Optional.empty());
    }

    private static boolean arePortsFree(Pod pod, Collection<Pod> others) {
        var ports = HostPorts.of(pod);
        return ports.ports().isEmpty() || ports.areFreeBeside(HostPorts.ofAll(others));
    }

    private static Optional<Rejection> tooManyPods(Node node, NodeUsage usage) {
        String name = node.getMetadata().getName();
        return usage.isFull(node)
                ? Optional.of(Rejection.outOf(
                        NodeUsage.PODS,
                        BigDecimal.ONE,
                        usage.requested(name).getOrDefault(NodeUsage.PODS, BigDecimal.ZERO),
                        NodeUsage.amounts(node).getOrDefault(NodeUsage.PODS, BigDecimal.ZERO)))
                : Optional.empty();
    }

    private static Optional<Rejection> shortage(Pod pod, Node node, NodeUsage usage) {
        return usage
                .shortages(
                        node, requests(pod, node), Map.of(), pod.getMetadata().getNamespace())
                .stream()
                .findFirst()
                .map(shortage -> Rejection.outOf(
                        shortage.resource(),
                        shortage.requested(),
                        shortage.total().value().subtract(shortage.free()),
                        shortage.total().value()));
    }

    /** Without the extended resources that the node does not have, or that devices serve ({@code removeMissingExtendedResources}). */
    private static Map<String, BigDecimal> requests(Pod pod, Node node) {
        var requests = new HashMap<>(PodRequests.of(pod, NodeAllocatableUses.of(pod)));
        Set<String> ofNode = NodeUsage.amounts(node).keySet();
        Set<String> ofDevices = servedByDevices(pod);
        requests.keySet()
                .removeIf(resource -> ofDevices.contains(resource)
                        || (ExtendedResources.isOfDevicePlugin(resource) && !ofNode.contains(resource)));
        requests.values().removeIf(amount -> amount.signum() == 0);
        return requests;
    }

    private static Set<String> servedByDevices(Pod pod) {
        return Stream.ofNullable(pod.getStatus())
                .flatMap(status -> Stream.ofNullable(status.getExtendedResourceClaimStatus()))
                .flatMap(status -> status.getRequestMappings().stream())
                .map(ContainerExtendedResourceRequest::getResourceName)
                .collect(Collectors.toSet());
    }

    private static boolean isRepelled(Pod pod, Node node) {
        List<Taint> taints = node.getSpec() == null ? List.of() : node.getSpec().getTaints();
        return taints.stream()
                .anyMatch(taint -> "NoExecute".equals(taint.getEffect()) && !NodeFit.toleratesOrIsMeantFor(pod, taint));
    }
}
