package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.ClaimReservations;
import dev.fakegpu.cluster.fit.GroupMembers;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.fit.TopologyDomain;
import dev.fakegpu.cluster.pending.GangText;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.GangScheduling.Ready;
import dev.fakegpu.operator.schedule.PendingPodIndex.PendingPod;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
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
     * The pods of a group that count for the scheduler.
     *
     * @param all in scheduling order
     * @param others the number of pods that other schedulers have to place, which do not count
     * @param bound those with a node
     * @param ready those that can be placed now
     * @param written those whose earlier decision is still taking effect: their devices are being made ready, or they are in back-off
     *     before they are bound again
     */
    record Gang(PodGroup group, List<Pod> all, int others, List<Pod> bound, List<Ready> ready, List<Pod> written) {

        List<Pod> waiting() {
            return all.stream().filter(pod -> !PodState.isBound(pod)).toList();
        }

        GangText text() {
            return new GangText(group, bound.size());
        }

        /** The nodes on which its pods may be. */
        List<SchedulableNode> nodes(SchedulerCache cache) {
            return TopologyDomain.of(
                    group.topologyKey(), bound, cache.allNodes().toList());
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

    /**
     * Returns empty while a decision about one of the pods is being written.
     *
     * @param pod a pod of the group
     */
    Optional<Gang> of(PodGroup group, Pod pod) {
        var metadata = group.getMetadata();
        GroupMembers members = GroupMembers.of(cluster.podsOfGroup(metadata.getNamespace(), metadata.getName()), pod);
        if (members.counted().stream()
                .anyMatch(each -> pendingPods.isBeingWritten(each.getMetadata().getUid()))) {
            return Optional.empty();
        }
        List<Pod> all = members.counted().stream()
                .sorted(Comparator.comparing(QueueItem::of))
                .toList();
        var bound = new ArrayList<Pod>();
        var ready = new ArrayList<Ready>();
        var written = new ArrayList<Pod>();
        var reservations = new ClaimReservations();
        for (Pod each : all) {
            if (PodState.isBound(each)) {
                bound.add(each);
            } else {
                pendingPods
                        .forDecision(QueueItem.of(each))
                        .ifPresent(pending -> sort(pending, group, reservations, ready, written));
            }
        }
        return Optional.of(new Gang(group, all, members.others(), bound, ready, written));
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
