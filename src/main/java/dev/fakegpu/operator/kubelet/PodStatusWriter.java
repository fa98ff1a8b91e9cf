package dev.fakegpu.operator.kubelet;

import dev.fakegpu.cluster.fit.NodeAdmission.Rejection;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.ResourceStatus;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the status of pods as a kubelet does, and completes their deletion. */
final class PodStatusWriter {

    private static final List<String> RUNNING_CONDITIONS =
            List.of(PodState.READY_TO_START, "Initialized", "Ready", "ContainersReady", PodState.POD_SCHEDULED);

    /** The exit code of a process that was ended by SIGKILL. */
    private static final int KILLED = 128 + 9;

    private final ObjectClient client;
    private final ObjectStore<Pod> pods;
    private final Clock clock;

    PodStatusWriter(ObjectClient client, ObjectStore<Pod> pods, Clock clock) {
        this.client = client;
        this.pods = pods;
        this.clock = clock;
    }

    /** @param healths returns the health of a container's devices */
    void running(Pod pod, Function<Container, List<ResourceStatus>> healths) {
        var now = now();
        var containers = pod.getSpec().getContainers().stream()
                .map(container -> status(container)
                        .withReady(true)
                        .withStarted(true)
                        .withNewState()
                        .withNewRunning(now)
                        .endState()
                        .withAllocatedResourcesStatus(healths.apply(container))
                        .build())
                .toList();
        write(
                pod,
                "Running",
                containers,
                RUNNING_CONDITIONS.stream()
                        .map(type -> condition(type, "True", null))
                        .toList());
    }

    /** Writes the health of a running pod's devices, unless the status already has it. */
    void health(Pod pod, Function<Container, List<ResourceStatus>> healths) {
        Map<String, List<ResourceStatus>> byContainer =
                pod.getSpec().getContainers().stream().collect(Collectors.toMap(Container::getName, healths));
        var containers = pod.getStatus().getContainerStatuses().stream()
                .map(status -> new ContainerStatusBuilder(status)
                        .withAllocatedResourcesStatus(byContainer.getOrDefault(status.getName(), List.of()))
                        .build())
                .toList();
        if (!containers.equals(pod.getStatus().getContainerStatuses())) {
            pods.written(client.updateStatus(
                    pod,
                    new PodBuilder(pod)
                            .editStatus()
                            .withContainerStatuses(containers)
                            .endStatus()
                            .build()));
        }
    }

    /** Reports that the pod cannot start yet; {@code kubectl get pods} shows ContainerCreating, as with a real kubelet. */
    void containerCreating(Pod pod, String message) {
        var containers = pod.getSpec().getContainers().stream()
                .map(container -> status(container)
                        .withReady(false)
                        .withStarted(false)
                        .withNewState()
                        .withNewWaiting(null, "ContainerCreating")
                        .endState()
                        .build())
                .toList();
        write(
                pod,
                "Pending",
                containers,
                List.of(
                        condition(PodState.READY_TO_START, "False", message),
                        condition("Initialized", "True", null),
                        condition("Ready", "False", "containers are not ready"),
                        condition("ContainersReady", "False", "containers are not ready"),
                        condition(PodState.POD_SCHEDULED, "True", null)));
    }

    /** Reports that the node rejects the pod. It has ended then. */
    void rejected(Pod pod, Rejection rejection) {
        pods.written(client.updateStatus(
                pod,
                new PodBuilder(pod)
                        .editOrNewStatus()
                        .withPhase("Failed")
                        .withReason(rejection.reason())
                        .withMessage(SafeText.of(rejection.ofStatus(), SafeText.CONDITION_MESSAGE))
                        .withStartTime(now())
                        .endStatus()
                        .build()));
    }

    /** Reports that the containers of a pod were killed because it is being deleted, before its deletion is completed. */
    void failed(Pod pod) {
        var containers = pod.getSpec().getContainers().stream()
                .map(container -> status(container)
                        .withReady(false)
                        .withStarted(false)
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(KILLED)
                        .withReason("Error")
                        .withFinishedAt(now())
                        .endTerminated()
                        .endState()
                        .build())
                .toList();
        write(
                pod,
                "Failed",
                containers,
                List.of(
                        condition("Ready", "False", "the pod has failed"),
                        condition("ContainersReady", "False", "the pod has failed")));
    }

    /** Completes the deletion of a pod, as the kubelet does when the pod has ended. Does nothing if the pod is gone or was replaced. */
    void remove(Pod pod) {
        client.deleteImmediately(pod);
    }

    private void write(Pod pod, String phase, List<ContainerStatus> containers, List<PodCondition> conditions) {
        var before = pod.getStatus();
        if (before != null && phase.equals(before.getPhase()) && areAlike(before.getConditions(), conditions)) {
            return;
        }
        List<PodCondition> known = before == null ? List.of() : before.getConditions();
        var merged = new ArrayList<>(known);
        merged.removeIf(other -> conditions.stream().anyMatch(desired -> sameType(other, desired)));
        conditions.forEach(desired -> merged.add(withUnknownFields(desired, known)));
        pods.written(client.updateStatus(
                pod,
                new PodBuilder(pod)
                        .editOrNewStatus()
                        .withPhase(phase)
                        .withStartTime(before == null || before.getStartTime() == null ? now() : before.getStartTime())
                        .withContainerStatuses(withUnknownFields(
                                containers, before == null ? List.of() : before.getContainerStatuses()))
                        .withConditions(merged)
                        .endStatus()
                        .build()));
    }

    /** Keeps fields that only a newer API server knows, because a patch replaces lists as a whole. */
    private static PodCondition withUnknownFields(PodCondition desired, List<PodCondition> known) {
        return known.stream()
                .filter(other -> sameType(other, desired))
                .findFirst()
                .map(stored -> new PodConditionBuilder(desired)
                        .withAdditionalProperties(stored.getAdditionalProperties())
                        .build())
                .orElse(desired);
    }

    private static List<ContainerStatus> withUnknownFields(List<ContainerStatus> desired, List<ContainerStatus> known) {
        return desired.stream()
                .map(status -> known.stream()
                        .filter(other -> other.getName().equals(status.getName()))
                        .findFirst()
                        .map(stored -> new ContainerStatusBuilder(status)
                                .withAdditionalProperties(stored.getAdditionalProperties())
                                .build())
                        .orElse(status))
                .toList();
    }

    private static boolean areAlike(List<PodCondition> known, List<PodCondition> desired) {
        return desired.stream()
                .allMatch(condition -> known.stream()
                        .anyMatch(other -> sameType(other, condition)
                                && other.getStatus().equals(condition.getStatus())
                                && Objects.equals(other.getMessage(), condition.getMessage())));
    }

    private static boolean sameType(PodCondition one, PodCondition other) {
        return one.getType().equals(other.getType());
    }

    private PodCondition condition(String type, String status, @Nullable String message) {
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withMessage(message == null ? null : SafeText.of(message, SafeText.CONDITION_MESSAGE))
                .withLastTransitionTime(now())
                .build();
    }

    private static ContainerStatusBuilder status(Container container) {
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID("")
                .withRestartCount(0);
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
