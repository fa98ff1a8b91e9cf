package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.Optional;
import java.util.Set;

/** Where a pod is in its lifecycle. */
public final class PodState {
    /** The condition that schedulers set. */
    public static final String POD_SCHEDULED = "PodScheduled";

    private PodState() {}

    /** What a scheduler has said about the pod; empty if none has. */
    public static Optional<PodCondition> scheduled(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> POD_SCHEDULED.equals(condition.getType()))
                        .findFirst();
    }

    /** Whether the pod already has a node. kube-controller-manager reserves allocated claims for such a pod, but allocates none. */
    public static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
    }

    public static boolean isRunning(Pod pod) {
        return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
    }

    /** Whether the pod runs, and nobody has said that it is not ready. */
    public static boolean isReady(Pod pod) {
        return isRunning(pod)
                && pod.getStatus().getConditions().stream()
                        .noneMatch(condition ->
                                "Ready".equals(condition.getType()) && "False".equals(condition.getStatus()));
    }

    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
