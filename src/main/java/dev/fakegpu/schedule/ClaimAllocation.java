package dev.fakegpu.schedule;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.schedule.fit.NodeFit;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;

/** Decides about claims that want to be allocated without a pod. For one thread. */
final class ClaimAllocation {

    private final ClusterWatch cluster;
    private final Responsibility waiters;
    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final SchedulingCycle attempts;
    private final InFlightDecisions decisions;

    ClaimAllocation(
            ClusterWatch cluster,
            Responsibility waiters,
            SchedulerCache cache,
            SchedulingQueue queue,
            SchedulingCycle attempts,
            InFlightDecisions decisions) {
        this.cluster = cluster;
        this.waiters = waiters;
        this.cache = cache;
        this.queue = queue;
        this.attempts = attempts;
        this.decisions = decisions;
    }

    /** The spec of a claim never changes, so it is queued once. */
    void changed(ResourceClaim claim) {
        String uid = claim.getMetadata().getUid();
        if (!waiters.waits(claim)) {
            queue.remove(uid);
        } else if (!queue.contains(uid)) {
            queue.activate(QueueItem.of(claim));
        }
    }

    void gone(String uid) {
        queue.remove(uid);
    }

    void namespaceChanged(String namespace) {
        cluster.claims().list().stream()
                .filter(claim -> namespace.equals(claim.getMetadata().getNamespace()))
                .forEach(this::changed);
    }

    void decide(QueueItem item) {
        var stored = waiters.claim(item);
        if (stored.isEmpty()) {
            return;
        }
        ResourceClaim claim = stored.get();
        if (cache.ledger().isAssumed(item.uid())) {
            queue.backOff(item.uid(), decisions.now());
            return;
        }
        Claim wanted = ClaimReader.read(claim);
        attempts.place(item, List.of(wanted.requests(), wanted.constraints()), this::fits, node -> List.of(wanted))
                .ifPresent(placement -> decisions.write(
                        item,
                        null,
                        null,
                        List.of(decisions.allocate(
                                claim, placement.allocations().get(0)))));
    }

    private boolean fits(SchedulableNode node) {
        return NodeFit.problem(node.stored(), null).isEmpty();
    }
}
