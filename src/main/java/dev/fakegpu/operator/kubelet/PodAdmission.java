package dev.fakegpu.operator.kubelet;

import dev.fakegpu.cluster.fit.NodeAdmission;
import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Admits each pod to its node once, before its claims are prepared. A pod that a scheduler has bound is always admitted: the scheduler has
 * checked the same, perhaps with a newer state of the node than the one that has been watched here. Not thread-safe.
 */
final class PodAdmission {

    private final ObjectStores cluster;
    private final Function<Node, Optional<Node>> current;
    private final ObjectStore.Index<String, Pod> podsByNode;

    /** The UIDs of pending pods that were admitted. */
    private final Set<String> admitted = new HashSet<>();

    /** @param current returns the stored version of a node; empty if there is none */
    PodAdmission(ObjectStores cluster, Function<Node, Optional<Node>> current) {
        this.cluster = cluster;
        this.current = current;
        this.podsByNode = cluster.pods()
                .index(pod -> pod.getSpec() != null && PodState.isBound(pod)
                        ? Set.of(pod.getSpec().getNodeName())
                        : Set.of());
    }

    /** Forgets all pods that are not pending. */
    void retain(Set<String> pending) {
        admitted.retainAll(pending);
    }

    /**
     * Why the node rejects the pod; empty if it admits it, or has admitted it before. The node is read before a rejection, since the pod's
     * creator may have seen a newer version than the one that has been watched here. Upstream reads it only for its labels ({@code
     * generalFilter} in {@code predicate.go}): a kubelet knows its own resources.
     */
    Optional<Rejection> rejection(Pod pod) {
        if (isAdmitted(pod)) {
            return Optional.empty();
        }
        String node = pod.getSpec().getNodeName();
        List<Pod> others =
                podsByNode.get(node).stream().filter(this::isAdmitted).toList();
        Optional<Rejection> rejection = cluster.nodes()
                .get(null, node)
                .filter(known -> rejection(pod, known, others).isPresent())
                .flatMap(current)
                .flatMap(stored -> rejection(pod, stored, others));
        if (rejection.isEmpty()) {
            admitted.add(pod.getMetadata().getUid());
        }
        return rejection;
    }

    private static Optional<Rejection> rejection(Pod pod, Node node, List<Pod> others) {
        return hasReported(node) ? NodeAdmission.rejection(pod, node, others) : Optional.empty();
    }

    /** A node is created before its status is written. */
    private static boolean hasReported(Node node) {
        return node.getStatus() != null
                && node.getStatus().getAllocatable() != null
                && !node.getStatus().getAllocatable().isEmpty();
    }

    /** A kubelet sets the start time when it admits a pod; pods from files may lack it. */
    private boolean isAdmitted(Pod pod) {
        return admitted.contains(pod.getMetadata().getUid())
                || (pod.getStatus() != null && pod.getStatus().getStartTime() != null)
                || PodState.isRunning(pod)
                || PodState.scheduled(pod)
                        .filter(condition -> "True".equals(condition.getStatus()))
                        .isPresent();
    }
}
