package dev.fakegpu.cluster.fit;

import dev.fakegpu.api.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSchedulingGate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The state of a pod in its lifecycle. */
public final class PodState {
    /** The condition that schedulers set. */
    public static final String POD_SCHEDULED = "PodScheduled";

    /** The reason of this condition if no node fits. */
    public static final String UNSCHEDULABLE = "Unschedulable";

    /** The reason of this condition if an error ended the attempt. */
    public static final String SCHEDULER_ERROR = "SchedulerError";

    /** The condition that kubelets set. */
    public static final String READY_TO_START = "PodReadyToStartContainers";

    private PodState() {}

    /** The condition set by a scheduler; empty if there is none. */
    public static Optional<PodCondition> scheduled(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> POD_SCHEDULED.equals(condition.getType()))
                        .findFirst();
    }

    /** Whether the pod names the companion as its scheduler. */
    public static boolean isOfCompanion(Pod pod) {
        return Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName());
    }

    /** Whether the pod already has a node. kube-controller-manager reserves allocated claims for such a pod, but does not allocate any. */
    public static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null
                && !pod.getSpec().getNodeName().isEmpty();
    }

    public static boolean isRunning(Pod pod) {
        return pod.getStatus() != null && "Running".equals(pod.getStatus().getPhase());
    }

    /** The sentence about a pod that its scheduler does not queue yet; empty if it has no scheduling gates. */
    public static Optional<String> gated(Pod pod) {
        List<PodSchedulingGate> gates = pod.getSpec().getSchedulingGates();
        return gates.isEmpty()
                ? Optional.empty()
                : Optional.of("it is not scheduled before its scheduling gates are removed: "
                        + gates.stream().map(PodSchedulingGate::getName).collect(Collectors.joining(", ")));
    }

    /** Whether the pod is running and no condition says that it is not ready. */
    public static boolean isReady(Pod pod) {
        return isRunning(pod)
                && pod.getStatus().getConditions().stream()
                        .noneMatch(condition ->
                                "Ready".equals(condition.getType()) && "False".equals(condition.getStatus()));
    }

    /** Why the kubelet of a simulated node cannot start the pod; empty if it has not failed to. A real kubelet writes no message. */
    public static Optional<String> notStarted(Pod pod) {
        return pod.getStatus() == null
                ? Optional.empty()
                : pod.getStatus().getConditions().stream()
                        .filter(condition -> READY_TO_START.equals(condition.getType()))
                        .flatMap(condition -> Stream.ofNullable(condition.getMessage()))
                        .findFirst();
    }

    public static boolean hasEnded(Pod pod) {
        return pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
