package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.simulate.controller.DueEviction.Manager;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Evicts pods because of taints with the effect {@code NoExecute}: of devices ({@code pkg/controller/devicetainteviction}) and of nodes
 * ({@code pkg/controller/tainteviction}). A pod that tolerates a taint for a limited time is evicted after that time. Not thread-safe.
 */
final class PodEvictor {

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final Consumer<HasMetadata> enqueue;
    private final Consumer<Pod> delete;
    private final EvictionEvents events;
    private final EvictingTaints taints = new EvictingTaints();
    private final EvictionTimes times;

    /** By manager and UID of the pod, the planned evictions. */
    private final Map<Manager, Map<String, DueEviction>> planned =
            Map.of(Manager.DEVICE_TAINT, new HashMap<>(), Manager.TAINT, new HashMap<>());

    /** By UID of the pod, the time since which it has tolerated taints of its node for a limited time. */
    private final Map<String, Instant> tolerating = new HashMap<>();

    private final List<Eviction> evictions = new ArrayList<>();
    private boolean isChanged;

    /**
     * Creates the evictor.
     *
     * @param enqueue receives pods that must be processed again
     * @param delete deletes pods
     */
    PodEvictor(ControlledCluster cluster, ControllerTime time, Consumer<HasMetadata> enqueue, Consumer<Pod> delete) {
        this.cluster = cluster;
        this.time = time;
        this.enqueue = enqueue;
        this.delete = delete;
        events = new EvictionEvents(cluster, time);
        times = new EvictionTimes(cluster, taints);
    }

    List<Eviction> evictions() {
        return List.copyOf(evictions);
    }

    /** Records an eviction by another controller. */
    void record(Eviction eviction) {
        evictions.add(eviction);
    }

    void changed(HasMetadata object) {
        if (object instanceof ResourceClaim claim) {
            users(claim).forEach(enqueue);
        } else {
            isChanged |= taints.update(object, cluster.get(object));
        }
    }

    private Stream<Pod> users(ResourceClaim claim) {
        return taints.areNone()
                ? Stream.of()
                : ClaimConsumers.pods(claim)
                        .flatMap(user ->
                                cluster
                                        .stores()
                                        .pods()
                                        .get(claim.getMetadata().getNamespace(), user.getName())
                                        .stream());
    }

    /** The pods whose evictions must be planned again: all pods after taints have changed. */
    List<Pod> podsToCheck() {
        List<Pod> pods = isChanged ? cluster.list(Pod.class) : List.of();
        isChanged = false;
        return pods;
    }

    void sync(Pod pod) {
        if (PodState.isBound(pod) && !(taints.areNone() && isUnplanned(pod))) {
            String uid = pod.getMetadata().getUid();
            decide(pod, Manager.DEVICE_TAINT, times.ofDevices(pod));
            Optional<DueEviction> ofNode =
                    times.ofNode(pod, tolerating.computeIfAbsent(uid, ignored -> time.instant()));
            if (ofNode.isEmpty()) {
                tolerating.remove(uid);
            }
            decide(pod, Manager.TAINT, ofNode);
        }
    }

    private boolean isUnplanned(Pod pod) {
        return planned.values().stream()
                .noneMatch(each -> each.containsKey(pod.getMetadata().getUid()));
    }

    private void decide(Pod pod, Manager manager, Optional<DueEviction> due) {
        Map<String, DueEviction> ofManager = Objects.requireNonNull(planned.get(manager));
        @Nullable DueEviction before = ofManager.remove(pod.getMetadata().getUid());
        if (due.isEmpty()) {
            if (before != null) {
                events.write(pod, manager, manager.cancels);
            }
            return;
        }
        Duration left = Duration.between(time.instant(), due.get().at());
        if (left.isNegative() || left.isZero()) {
            evict(pod, due.get());
            return;
        }
        ofManager.put(pod.getMetadata().getUid(), due.get());
        if (before == null || !before.at().equals(due.get().at())) {
            time.after(left, () -> enqueue.accept(pod));
        }
    }

    private void evict(Pod pod, DueEviction due) {
        Pod stored = cluster.get(pod);
        if (stored == null || OwnedPods.isDeleted(stored)) {
            return;
        }
        var metadata = pod.getMetadata();
        events.write(pod, due.by(), due.by().deletes);
        evictions.add(new Eviction(
                time.instant(),
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                due.by().event,
                due.cause()));
        delete.accept(cluster.updateStatus(stored, disrupted(stored, due.by())));
    }

    private static Pod disrupted(Pod pod, Manager manager) {
        return new PodBuilder(pod)
                .editStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .withReason(manager.conditionReason)
                .withMessage(SafeText.of(manager.conditionMessage, SafeText.CONDITION_MESSAGE))
                .endCondition()
                .endStatus()
                .build();
    }
}
