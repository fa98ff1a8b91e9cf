package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.NodeFit;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.operator.schedule.bind.BindingPlanner;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.CompanionScope;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Queues and schedules claims that the companion allocates without a pod. Not thread-safe. */
final class ClaimAllocation {

    private final CompanionScope scope;
    private final ObjectStores cluster;
    private final ObjectStore.Index<String, Pod> endedPods;
    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final SchedulingCycle schedulingCycle;
    private final BindingPlanner planner;
    private final InFlightDecisions inFlight;

    ClaimAllocation(
            CompanionScope scope,
            ObjectStores cluster,
            SchedulerCache cache,
            SchedulingQueue queue,
            SchedulingCycle schedulingCycle,
            BindingPlanner planner,
            InFlightDecisions inFlight) {
        this.scope = scope;
        this.cluster = cluster;
        endedPods = cluster.pods().index(pod -> releasedClaims(pod, Optional.empty()));
        this.cache = cache;
        this.queue = queue;
        this.schedulingCycle = schedulingCycle;
        this.planner = planner;
        this.inFlight = inFlight;
    }

    /** Whether the companion has to allocate the claim without a pod. Thread-safe. */
    boolean isPending(ResourceClaim claim) {
        return scope.isPending(claim);
    }

    /** Queues the claim only once, since the spec of a claim never changes. */
    void changed(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        if (!scope.isPending(claim)) {
            queue.remove(uid);
        } else if (!queue.contains(uid)) {
            queue.activate(QueueItem.of(claim));
        }
    }

    /** Tries a waiting claim again after one of its pods has ended or is gone, or the PodGroup of one has changed. */
    void retry(String namespace, String claim) {
        scope.pendingClaim(namespace, claim)
                .map(QueueItem::of)
                .filter(item -> queue.contains(item.uid()) && !queue.isBackingOff(item.uid()))
                .ifPresent(queue::activate);
    }

    void deleted(String uid) {
        queue.remove(uid);
    }

    void decide(QueueItem item) {
        scope.pendingClaim(item).ifPresent(claim -> decide(item, claim));
    }

    private void decide(QueueItem item, ResourceClaim stored) {
        if (cache.assumeCache().isAssumed(item.uid())) {
            schedulingCycle.backOff(item);
            return;
        }
        var unreadable = UnreadableFields.of(stored);
        if (unreadable.isPresent()) {
            schedulingCycle.block(item, PendingReason.unreadable(CompanionMessages.isUnreadable(unreadable.get())));
            return;
        }
        String key = item.namespace() + "/" + item.name();
        Optional<Pod> ended = endedPods.get(key).stream()
                .filter(pod -> !isOfMissingGroup(pod)
                        && releasedClaims(pod, cluster.podGroup(pod)).contains(key))
                .min(Comparator.comparing(pod -> pod.getMetadata().getName()));
        if (ended.isPresent()) {
            schedulingCycle.block(item, PendingReason.claimsUnavailable(ClaimProblems.wouldBeReleased(ended.get())));
            return;
        }
        Claim claim = ClaimReader.read(stored);
        schedulingCycle
                .place(
                        item,
                        List.of(claim.requests(), claim.constraints()),
                        ClaimAllocation::fits,
                        node -> List.of(claim),
                        NodeSearch.Preference.BEST_ALTERNATIVES)
                .ifPresent(placement -> inFlight.submit(
                        planner.forClaim(item, stored, placement.allocations().get(0))));
    }

    /** kube-controller-manager fails before it reserves claims for such a pod. Upstream: {@code syncPod}. */
    private boolean isOfMissingGroup(Pod pod) {
        return PodGroup.nameFor(pod).isPresent()
                && cluster.knowsPodGroups()
                && cluster.podGroup(pod).isEmpty();
    }

    private static Set<String> releasedClaims(Pod pod, Optional<PodGroup> group) {
        return ClaimProblems.releasedClaims(pod, group)
                .map(name -> pod.getMetadata().getNamespace() + "/" + name)
                .collect(Collectors.toSet());
    }

    private static boolean fits(SchedulableNode node) {
        return NodeFit.problem(node.stored(), null).isEmpty();
    }
}
