package dev.fakegpu.schedule;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides about pods that ask for {@link dev.fakegpu.api.Labels#SCHEDULER_NAME}: a node is chosen and devices for their claims. For
 * one thread.
 */
final class PodScheduling {

    /** As many consumers as the API allows in {@code status.reservedFor}. */
    static final int MOST_RESERVATIONS = 256;

    private final ClusterWatch cluster;
    private final SchedulerCache cache;
    private final Waiters waiters;
    private final Attempts attempts;
    private final Releases releases;
    private final Decisions decisions;

    PodScheduling(
            ClusterWatch cluster,
            SchedulerCache cache,
            Waiters waiters,
            Attempts attempts,
            Releases releases,
            Decisions decisions) {
        this.cluster = cluster;
        this.cache = cache;
        this.waiters = waiters;
        this.attempts = attempts;
        this.releases = releases;
        this.decisions = decisions;
    }

    void decide(QueueItem item) {
        Optional<Pod> stored = waiters.pod(item);
        if (stored.isEmpty()) {
            return; // the change that made it so is on its way
        }
        Pod pod = stored.get();
        var podClaims = PodClaims.of(pod, cluster.claims());
        Optional<String> blocked = blocked(pod, podClaims);
        if (blocked.isPresent()) {
            attempts.block(item, blocked.get());
            return;
        }
        var wanted = wanted(podClaims);
        attempts.place(item, wants(item, pod, podClaims, wanted), fits(pod, podClaims), wanted)
                .ifPresentOrElse(
                        placement -> assign(item, pod, podClaims, placement),
                        () -> releases.giveUpOwnClaims(pod, podClaims));
    }

    /** What must change about the pod or its claims before any node is looked at. */
    private Optional<String> blocked(Pod pod, PodClaims podClaims) {
        if (!podClaims.waitingFor().isEmpty()) {
            return Optional.of(String.join("; ", podClaims.waitingFor()));
        }
        return podClaims.claims().stream()
                .flatMap(claim -> blocked(pod, claim).stream())
                .findFirst();
    }

    private Optional<String> blocked(Pod pod, ResourceClaim claim) {
        String name = claim.getMetadata().getName();
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of("ResourceClaim \"%s\" is being deleted".formatted(name));
        }
        if (cache.ledger().isAssumed(claim.getMetadata().getUid())) {
            return Optional.of("ResourceClaim \"%s\" is being allocated or reserved for another pod at the moment"
                    .formatted(name));
        }
        boolean isFull = Allocations.isAllocated(claim)
                && !PodClaims.isReservedFor(claim, pod)
                && claim.getStatus().getReservedFor().size() >= MOST_RESERVATIONS;
        return isFull
                ? Optional.of("ResourceClaim \"%s\" is reserved for %d consumers, which is the most that the API allows"
                        .formatted(name, MOST_RESERVATIONS))
                : Optional.empty();
    }

    private static List<Claim> wanted(PodClaims podClaims) {
        return podClaims.claims().stream()
                .filter(claim -> !Allocations.isAllocated(claim))
                .map(ClaimReader::read)
                .toList();
    }

    /** A pod with an allocated claim is like no other. So is one with several claims: what is said about it names them. */
    private Object wants(QueueItem item, Pod pod, PodClaims podClaims, List<Claim> wanted) {
        if (wanted.size() != 1 || podClaims.claims().size() != 1 || Waiters.isBound(pod)) {
            return item;
        }
        Claim only = wanted.get(0);
        return List.of(only.requests(), only.constraints(), new PodFit(pod, List.of(), cache.usage()).key());
    }

    private Predicate<SchedulableNode> fits(Pod pod, PodClaims podClaims) {
        if (Waiters.isBound(pod)) {
            return node -> node.name().equals(pod.getSpec().getNodeName());
        }
        return new PodFit(pod, podClaims.claims(), cache.usage())::fits;
    }

    private void assign(QueueItem item, Pod pod, PodClaims podClaims, Placer.Placement placement) {
        var steps = new ArrayList<Assignment.Step>();
        int unallocated = 0;
        for (ResourceClaim claim : podClaims.claims()) {
            if (!Allocations.isAllocated(claim)) {
                steps.add(decisions.allocate(claim, placement.allocations().get(unallocated++)));
            } else if (!PodClaims.isReservedFor(claim, pod)) {
                steps.add(Assignment.Step.reserve(claim));
            }
        }
        decisions.write(new Assignment(item, pod, Waiters.isBound(pod) ? null : placement.node(), steps));
    }
}
