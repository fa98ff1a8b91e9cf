package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.BindingConditions;
import dev.fakegpu.cluster.fit.ClaimProblems;
import dev.fakegpu.cluster.fit.ClaimReservations;
import dev.fakegpu.cluster.fit.ExtendedResourceClaim;
import dev.fakegpu.cluster.fit.PodRequests;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.PendingPodIndex.PendingPod;
import dev.fakegpu.operator.schedule.bind.ClaimReleaser;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.report.StatusReporter;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.StoredTimes;
import dev.fakegpu.util.Ticker;
import dev.fakegpu.util.Timestamps;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rejects pods that no node can help until they or their claims change, and computes the requirements of other pods. Named after
 * kube-scheduler's extension point. Not thread-safe.
 */
final class PreFilter {

    private final ObjectStore.Index<String, ResourceClaim> ofExtendedResources;
    private final SchedulerCache cache;
    private final SchedulingCycle schedulingCycle;
    private final ClaimReleaser claimReleaser;
    private final StatusReporter statusReporter;
    private final Clock clock;
    private final Ticker ticker;
    private final StoredTimes allocations;

    /** A claim with a device that failed to become ready. */
    private record FailedBinding(ResourceClaim claim, String why) {}

    PreFilter(
            ObjectStore<ResourceClaim> claims,
            SchedulerCache cache,
            SchedulingCycle schedulingCycle,
            ClaimReleaser claimReleaser,
            StatusReporter statusReporter,
            Clock clock,
            Ticker ticker) {
        this.ofExtendedResources = claims.index(
                claim -> ExtendedResourceClaim.podKey(claim).map(Set::of).orElse(Set.of()));
        this.cache = cache;
        this.schedulingCycle = schedulingCycle;
        this.claimReleaser = claimReleaser;
        this.statusReporter = statusReporter;
        this.clock = clock;
        this.ticker = ticker;
        this.allocations = new StoredTimes(clock, ticker);
        claims.addListener((before, after) -> {
            if (before != null && after == null) {
                allocations.forget(before.getMetadata().getUid());
            }
        });
    }

    /** Returns empty if the pod was rejected; it is back in the queue then. */
    Optional<PodRequirements> filter(QueueItem item, PendingPod pending) {
        Pod pod = pending.pod();
        PodClaims podClaims = pending.claims();
        Optional<PendingReason> problem = unreadable(pod, podClaims)
                .map(PendingReason::unreadable)
                .or(() -> cache.profile()
                        .refusal(pod, cache.options().unsupported())
                        .map(PendingReason::placementNotSupported))
                .or(() -> usedTwice(pod).map(PendingReason::claimsUnavailable))
                .or(() -> claimProblem(pod, podClaims).or(() -> leftover(pod)).map(PendingReason::claimsUnavailable));
        if (problem.isPresent()) {
            block(item, podClaims, problem.get());
            return Optional.empty();
        }
        Optional<FailedBinding> failed = failedBinding(podClaims);
        if (failed.isPresent()) {
            release(item, pod, failed.get());
            return Optional.empty();
        }
        return isAwaitingConditions(item, pod, podClaims)
                ? Optional.empty()
                : Optional.of(new PodRequirements(pod, podClaims, cache));
    }

    /**
     * The same for a pod of a gang.
     *
     * @param reservations of the pods that would be placed with it
     */
    Optional<PodRequirements> filter(
            QueueItem item, PendingPod pending, PodGroup group, ClaimReservations reservations) {
        return filter(item, pending).filter(passed -> {
            Optional<String> problem =
                    reservations.add(pending.pod(), pending.claims().claims(), Optional.of(group));
            problem.ifPresent(why -> schedulingCycle.block(item, PendingReason.claimsUnavailable(why)));
            return problem.isEmpty();
        });
    }

    private void block(QueueItem item, PodClaims podClaims, PendingReason problem) {
        if (podClaims.areBeingMade() && problem.isAboutClaims()) {
            schedulingCycle.block(item, problem, PodClaims.CREATION_TIME);
        } else {
            schedulingCycle.block(item, problem);
        }
    }

    private static Optional<String> unreadable(Pod pod, PodClaims podClaims) {
        return UnreadableFields.of(pod)
                .map(CompanionMessages::isUnreadable)
                .or(() -> podClaims.claims().stream()
                        .flatMap(claim -> UnreadableFields.of(claim).stream()
                                .map(fields -> CompanionMessages.isUnreadable(claim, fields)))
                        .findFirst());
    }

    private Optional<String> usedTwice(Pod pod) {
        List<String> names = pod.getSpec().getResourceClaims().stream()
                .flatMap(reference -> Optional.ofNullable(reference.getResourceClaimName()).stream())
                .toList();
        return cache.profile().reservesForEachUse()
                ? names.stream()
                        .filter(name -> names.indexOf(name) != names.lastIndexOf(name))
                        .findFirst()
                        .map(CompanionMessages::isUsedTwice)
                : Optional.empty();
    }

    private Optional<String> claimProblem(Pod pod, PodClaims podClaims) {
        return podClaims.waitingFor().isEmpty()
                ? podClaims.claims().stream()
                        .flatMap(claim -> claimProblem(pod, claim).stream())
                        .findFirst()
                : Optional.of(String.join("; ", podClaims.waitingFor()));
    }

    private Optional<String> claimProblem(Pod pod, ResourceClaim claim) {
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return Optional.of(ClaimProblems.beingDeleted(claim));
        }
        if (cache.assumeCache().isAssumed(claim.getMetadata().getUid())) {
            return Optional.of(CompanionMessages.isBeingWritten(claim));
        }
        return ClaimProblems.fullyReserved(pod, claim);
    }

    /** Deletes a claim for extended resources that an interrupted attempt left behind; the pod gets a new one. */
    private Optional<String> leftover(Pod pod) {
        if (cache.extendedResources().among(PodRequests.of(pod)).isEmpty()) {
            return Optional.empty();
        }
        return ofExtendedResources.get(ExtendedResourceClaim.key(pod)).stream()
                .findFirst()
                .map(claim -> {
                    claimReleaser.deleteLeftover(pod, claim);
                    return CompanionMessages.leftoverIsBeingDeleted(claim);
                });
    }

    private Optional<FailedBinding> failedBinding(PodClaims podClaims) {
        return pendingConditions(podClaims).stream()
                .flatMap(claim -> BindingConditions.failure(claim).or(() -> timeout(claim)).stream()
                        .map(why -> new FailedBinding(claim, why)))
                .findFirst();
    }

    /** Releases the claim. The same devices may fail again immediately, so the next attempt waits. */
    private void release(QueueItem item, Pod pod, FailedBinding failed) {
        List<Pod> users = claimReleaser.releaseForAll(pod, failed.claim());
        statusReporter.reportBindingFailure(item, failed.why());
        if (users.isEmpty()) {
            schedulingCycle.block(item, PendingReason.bindingFailed(failed.why()));
        } else if (PodGroup.nameFor(pod).isPresent()) {
            schedulingCycle.backOffFromBinding(item.uid()); // the others of its gang are looked at, too
        } else {
            users.forEach(user ->
                    schedulingCycle.backOffFromBinding(user.getMetadata().getUid()));
        }
    }

    private Optional<String> timeout(ResourceClaim claim) {
        return deadline(claim).isAfter(ticker.now())
                ? Optional.empty()
                : Optional.of(CompanionMessages.bindingTimedOut(claim, bindingTimeout()));
    }

    /** Checks this only once all claims are allocated and reserved for the pod; before that, there is something to write. */
    private boolean isAwaitingConditions(QueueItem item, Pod pod, PodClaims podClaims) {
        var pending = pendingConditions(podClaims);
        boolean isWritten = podClaims.claims().stream()
                .allMatch(claim -> Allocations.isAllocated(claim) && PodClaims.isReservedFor(claim, pod));
        if (pending.isEmpty() || !isWritten) {
            return false;
        }
        Moment due = pending.stream().map(this::deadline).min(Moment::compareTo).orElseThrow();
        schedulingCycle.retryAt(item, due);
        List<String> unmet = pending.stream()
                .flatMap(claim -> BindingConditions.unmet(claim).stream())
                .toList();
        statusReporter.reportBindingConditionsPending(
                item, unmet, Timestamps.later(clock.instant(), ticker.until(due)));
        return true;
    }

    /** The deadline for the conditions. An allocation without a timestamp counts as made when it is first seen. */
    private Moment deadline(ResourceClaim claim) {
        return allocations
                .momentOf(
                        claim.getMetadata().getUid(),
                        BindingConditions.allocatedAt(claim).orElse(Instant.MAX))
                .plus(bindingTimeout());
    }

    /** The allocated claims with unmet binding conditions. */
    private List<ResourceClaim> pendingConditions(PodClaims podClaims) {
        if (!cache.options().features().contains(Feature.DEVICE_BINDING_AND_STATUS)) {
            return List.of();
        }
        return podClaims.claims().stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> !BindingConditions.areMet(claim))
                .toList();
    }

    private Duration bindingTimeout() {
        return cache.options().bindingTimeout();
    }
}
