package dev.fakegpu.operator.kubelet;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stage of a pod that has a node. */
enum PodStage {
    PENDING,
    RUNNING,
    /** The pod has terminated or is being deleted. */
    ENDED;

    /** The pod's stage; null if it has no node, or has a phase that kubelets never set. */
    static @Nullable PodStage of(Pod pod) {
        if (pod.getSpec() == null || pod.getSpec().getNodeName() == null) {
            return null;
        }
        String phase = phase(pod);
        if (pod.getMetadata().getDeletionTimestamp() != null
                || Set.of("Succeeded", "Failed").contains(phase)) {
            return ENDED;
        }
        return switch (phase) {
            case "Pending" -> PENDING;
            case "Running" -> RUNNING;
            default -> null;
        };
    }

    /** Returns the stage as the key of an index. */
    static Set<PodStage> index(Pod pod) {
        var stage = of(pod);
        return stage == null ? Set.of() : Set.of(stage);
    }

    private static String phase(Pod pod) {
        return pod.getStatus() == null
                ? "Pending"
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "Pending");
    }
}
