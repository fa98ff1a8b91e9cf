package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.ClaimReservations;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.GangScheduling.Ready;
import dev.fakegpu.operator.schedule.PendingPodIndex.PendingPod;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds the pods of a PodGroup and their state. Not thread-safe. */
final class GangMembers {

    private final ObjectStores cluster;
    private final PendingPodIndex pendingPods;
    private final SchedulingQueue queue;
    private final PreFilter preFilter;

    GangMembers(ObjectStores cluster, PendingPodIndex pendingPods, SchedulingQueue queue, PreFilter preFilter) {
        this.cluster = cluster;
        this.pendingPods = pendingPods;
        this.queue = queue;
        this.preFilter = preFilter;
    }

    /**
     * The pods of a group that have not ended.
     *
     * @param all in scheduling order
     * @param bound those with a node
     * @param ready those that can be placed now
     * @param written those whose earlier decision is still taking effect: their devices are being made ready, or they are in back-off
     *     before they are bound again
     */
    record Gang(PodGroup group, List<Pod> all, List<Pod> bound, List<Ready> ready, List<Pod> written) {

        List<Pod> waiting() {
            return all.stream().filter(pod -> !PodState.isBound(pod)).toList();
        }

        /** The first pod without a node that is not ready. */
        Optional<Pod> notReady() {
            List<String> known = ready.stream().map(Ready::name).toList();
            return waiting().stream()
                    .filter(pod -> !known.contains(pod.getMetadata().getName()))
                    .findFirst();
        }

        /** Gangs with equal keys get the same placement on the same nodes and devices. */
        Object key() {
            return List.of(
                    group.getMetadata().getUid(),
                    Optional.ofNullable(group.getSpec()),
                    bound.stream().map(pod -> pod.getMetadata().getUid()).toList(),
                    ready.stream()
                            .map(each -> List.of(
                                    each.item().uid(), each.requirements().unallocated()))
                            .toList());
        }
    }

    /** Returns empty while a decision about one of the pods is being written. */
    Optional<Gang> of(PodGroup group) {
        var metadata = group.getMetadata();
        List<Pod> unsorted = cluster.podsOfGroup(metadata.getNamespace(), metadata.getName()).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null && !PodState.hasEnded(pod))
                .toList();
        if (unsorted.stream()
                .anyMatch(pod -> pendingPods.isBeingWritten(pod.getMetadata().getUid()))) {
            return Optional.empty();
        }
        List<Pod> all =
                unsorted.stream().sorted(Comparator.comparing(QueueItem::of)).toList();
        var bound = new ArrayList<Pod>();
        var ready = new ArrayList<Ready>();
        var written = new ArrayList<Pod>();
        var reservations = new ClaimReservations();
        for (Pod pod : all) {
            if (PodState.isBound(pod)) {
                bound.add(pod);
            } else {
                pendingPods
                        .forDecision(QueueItem.of(pod))
                        .ifPresent(pending -> sort(pending, group, reservations, ready, written));
            }
        }
        return Optional.of(new Gang(group, all, bound, ready, written));
    }

    private void sort(
            PendingPod pending, PodGroup group, ClaimReservations reservations, List<Ready> ready, List<Pod> written) {
        var item = QueueItem.of(pending.pod());
        Optional<PodRequirements> requirements = queue.isBackingOff(item.uid())
                ? Optional.empty()
                : preFilter.filter(item, pending, group, reservations);
        requirements.ifPresent(each -> ready.add(new Ready(item, each)));
        if (requirements.isEmpty() && pending.claims().areUsableBy(pending.pod()) && queue.isBackingOff(item.uid())) {
            written.add(pending.pod());
        }
    }
}
