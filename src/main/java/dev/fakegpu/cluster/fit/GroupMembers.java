package dev.fakegpu.cluster.fit;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * The pods of a PodGroup as a scheduler counts them. Upstream: {@code addPod} in {@code eventhandlers.go}. Upstream's {@code
 * validatePodGroup} then refuses groups whose pods name different schedulers, which is not done here.
 *
 * @param counted the pods that have a node, whichever scheduler placed them, and those that the scheduler has to place
 * @param others the number of pods that other schedulers have to place
 */
public record GroupMembers(List<Pod> counted, int others) {

    private static final String DEFAULT_SCHEDULER = "default-scheduler";

    public GroupMembers {
        counted = List.copyOf(counted);
    }

    /**
     * The members among all pods that name the group.
     *
     * @param like a pod of the scheduler
     */
    public static GroupMembers of(Collection<Pod> pods, Pod like) {
        List<Pod> alive = alive(pods);
        List<Pod> counted = alive.stream()
                .filter(pod -> PodState.isBound(pod) || scheduler(pod).equals(scheduler(like)))
                .toList();
        return new GroupMembers(counted, alive.size() - counted.size());
    }

    /** The pods that have not ended and are not being deleted. */
    static List<Pod> alive(Collection<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !PodState.hasEnded(pod))
                .toList();
    }

    private static String scheduler(Pod pod) {
        return Objects.requireNonNullElse(pod.getSpec().getSchedulerName(), DEFAULT_SCHEDULER);
    }
}
