package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Feature;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Decides about pods that ask for {@link dev.fakegpu.api.Labels#SCHEDULER_NAME}: a node is chosen and devices for their claims. For
 * one thread.
 */
final class PodScheduling {

    private final SchedulerCache cache;
    private final Responsibility waiters;
    private final PendingPodIndex waitingPods;
    private final SchedulingCycle attempts;
    private final PreFilter blockers;
    private final ClaimReleaser releases;
    private final InFlightDecisions decisions;

    PodScheduling(
            SchedulerCache cache,
            Responsibility waiters,
            PendingPodIndex waitingPods,
            SchedulingCycle attempts,
            PreFilter blockers,
            ClaimReleaser releases,
            InFlightDecisions decisions) {
        this.cache = cache;
        this.waiters = waiters;
        this.waitingPods = waitingPods;
        this.attempts = attempts;
        this.blockers = blockers;
        this.releases = releases;
        this.decisions = decisions;
    }

    void decide(QueueItem item) {
        Optional<Pod> stored = waiters.pod(item);
        if (stored.isEmpty()) {
            return; // the change that made it so is on its way
        }
        Pod pod = stored.get();
        var podClaims = waiters.claims(pod);
        waitingPods.looksAt(item, pod, podClaims);
        if (blockers.blocks(item, pod, podClaims)) {
            return;
        }
        var wanted = new PodRequirements(pod, podClaims, cache);
        attempts.place(item, wanted.key(item), wanted::fits, wanted::claims)
                .ifPresentOrElse(
                        placement -> assign(item, wanted, placement), () -> releases.giveUpOwnClaims(pod, podClaims));
    }

    private void assign(QueueItem item, PodRequirements wanted, NodeSearch.Placement placement) {
        Pod pod = wanted.pod();
        var steps = new ArrayList<BindingPlan.Step>();
        int unallocated = 0;
        boolean isReady = true;
        for (ResourceClaim claim : wanted.podClaims().claims()) {
            if (!Allocations.isAllocated(claim)) {
                var allocation = placement.allocations().get(unallocated++);
                steps.add(decisions.allocate(claim, allocation));
                isReady &= !BindingConditions.areIn(allocation);
            } else {
                if (!PodClaims.isReservedFor(claim, pod)) {
                    steps.add(BindingPlan.Step.reserve(claim));
                }
                isReady &= BindingConditions.areMet(claim);
            }
        }
        var special = cache.node(placement.node()).flatMap(wanted::special);
        if (special.isPresent()) {
            var allocation = placement.allocations().get(unallocated);
            steps.add(decisions.allocate(special.get(), allocation));
            isReady &= !BindingConditions.areIn(allocation);
        }
        boolean waits = !isReady && cache.options().features().contains(Feature.DEVICE_BINDING_AND_STATUS);
        decisions.write(item, pod, PodState.isBound(pod) || waits ? null : placement.node(), steps);
    }
}
