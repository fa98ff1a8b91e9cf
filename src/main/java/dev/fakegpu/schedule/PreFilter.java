package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Feature;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.ExtendedResourceClaim;
import dev.fakegpu.schedule.fit.PodRequests;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What has to change about a pod or its claims before any node is looked at. For one thread. */
final class PreFilter {

    /** As many consumers as the API allows in {@code status.reservedFor}. */
    static final int MOST_RESERVATIONS = 256;

    private final ClusterWatch cluster;
    private final SchedulerCache cache;
    private final SchedulingCycle attempts;
    private final ClaimReleaser releases;
    private final StatusReporter reports;
    private final Duration bindingTimeout;

    PreFilter(
            ClusterWatch cluster,
            SchedulerCache cache,
            SchedulingCycle attempts,
            ClaimReleaser releases,
            StatusReporter reports,
            Duration bindingTimeout) {
        this.cluster = cluster;
        this.cache = cache;
        this.attempts = attempts;
        this.releases = releases;
        this.reports = reports;
        this.bindingTimeout = bindingTimeout;
    }

    /** Lets the pod wait if there is something. */
    boolean blocks(QueueItem item, Pod pod, PodClaims podClaims) {
        Optional<String> blocked = podClaims.waitingFor().isEmpty()
                ? podClaims.claims().stream()
                        .flatMap(claim -> problem(pod, claim).stream())
                        .findFirst()
                : Optional.of(String.join("; ", podClaims.waitingFor()));
        blocked = blocked.or(() -> leftover(pod)).or(() -> unboundable(pod, podClaims));
        blocked.ifPresent(why -> attempts.block(item, why));
        return blocked.isPresent() || isAwaitingConditions(item, pod, podClaims);
    }

    private Optional<String> problem(Pod pod, ResourceClaim claim) {
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

    /** A claim for extended resources from an attempt that was not finished: it goes, and the pod gets a new one. */
    private Optional<String> leftover(Pod pod) {
        if (cache.extendedResources().among(PodRequests.of(pod)).isEmpty()) {
            return Optional.empty();
        }
        return cluster.claims().list().stream()
                .filter(claim -> ExtendedResourceClaim.isFor(pod, claim))
                .findFirst()
                .map(claim -> {
                    releases.delete(claim);
                    return "ResourceClaim \"%s\", left by an earlier attempt, is being deleted"
                            .formatted(claim.getMetadata().getName());
                });
    }

    private Optional<String> unboundable(Pod pod, PodClaims podClaims) {
        return pending(podClaims).stream()
                .flatMap(claim -> BindingConditions.failure(claim).or(() -> timeout(claim)).stream()
                        .peek(why -> releases.giveUp(pod, claim)))
                .findFirst();
    }

    private Optional<String> timeout(ResourceClaim claim) {
        Instant now = attempts.now();
        return BindingConditions.deadline(claim, bindingTimeout, now).isAfter(now)
                ? Optional.empty()
                : Optional.of("device binding timeout: claim=%s, conditions not met within %d s"
                        .formatted(claim.getMetadata().getName(), bindingTimeout.toSeconds()));
    }

    /** Only what is reserved for the pod is waited for: before that there is something to write. */
    private boolean isAwaitingConditions(QueueItem item, Pod pod, PodClaims podClaims) {
        var pending = pending(podClaims);
        boolean isWritten = podClaims.claims().stream()
                .allMatch(claim -> Allocations.isAllocated(claim) && PodClaims.isReservedFor(claim, pod));
        if (pending.isEmpty() || !isWritten) {
            return false;
        }
        Instant now = attempts.now();
        pending.stream()
                .map(claim -> BindingConditions.deadline(claim, bindingTimeout, now))
                .min(Instant::compareTo)
                .ifPresent(due -> attempts.await(item, due));
        reports.awaitsConditions(item, pending.get(0));
        return true;
    }

    private List<ResourceClaim> pending(PodClaims podClaims) {
        if (!cache.options().features().contains(Feature.DEVICE_BINDING_AND_STATUS)) {
            return List.of();
        }
        return podClaims.claims().stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> !BindingConditions.areMet(claim))
                .toList();
    }
}
