package dev.fakegpu.schedule.fit;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Set;

/** How far a pod has come. */
public final class PodState {
    private PodState() {}

    /** Somebody chose the node already; kube-controller-manager reserves for such a pod what is allocated, but allocates nothing. */
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
