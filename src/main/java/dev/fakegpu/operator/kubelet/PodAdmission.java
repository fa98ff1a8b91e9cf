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

/**
 * Admits each pod to its node once, before its claims are prepared. A pod that a scheduler has bound is always admitted: the scheduler has
 * checked the same, perhaps with a newer state of the node than the one that has been watched here. Not thread-safe.
 */
final class PodAdmission {

    private final ObjectStores cluster;
    private final ObjectStore.Index<String, Pod> podsByNode;

    /** The UIDs of pending pods that were admitted. */
    private final Set<String> admitted = new HashSet<>();

    PodAdmission(ObjectStores cluster) {
        this.cluster = cluster;
        this.podsByNode = cluster.pods()
                .index(pod -> pod.getSpec() != null && PodState.isBound(pod)
                        ? Set.of(pod.getSpec().getNodeName())
                        : Set.of());
    }

    /** Forgets all pods that are not pending. */
    void retain(Set<String> pending) {
        admitted.retainAll(pending);
    }

    /** Why the node rejects the pod; empty if it admits it, or has admitted it before. */
    Optional<Rejection> rejection(Pod pod) {
        if (isAdmitted(pod)) {
            return Optional.empty();
        }
        String node = pod.getSpec().getNodeName();
        List<Pod> others =
                podsByNode.get(node).stream().filter(this::isAdmitted).toList();
        Optional<Rejection> rejection = cluster.nodes()
                .get(null, node)
                .filter(PodAdmission::hasReported)
                .flatMap(stored -> NodeAdmission.rejection(pod, stored, others));
        if (rejection.isEmpty()) {
            admitted.add(pod.getMetadata().getUid());
        }
        return rejection;
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
