package dev.fakegpu.schedule.fit;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Set;

/** Where a pod is in its lifecycle. */
public final class PodState {
    private PodState() {}

    /** Whether the pod already has a node. kube-controller-manager reserves allocated claims for such a pod, but allocates none. */
    public static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
    }

    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
