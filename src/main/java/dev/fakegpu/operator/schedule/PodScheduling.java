package dev.fakegpu.operator.schedule;

import dev.fakegpu.operator.schedule.PendingPodIndex.PendingPod;
import dev.fakegpu.operator.schedule.bind.BindingPlanner;
import dev.fakegpu.operator.schedule.bind.ClaimReleaser;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.search.NodePreference;
import dev.fakegpu.operator.schedule.search.PodRequirements;
import java.util.Optional;

/**
 * Schedules pods whose {@code spec.schedulerName} is {@link dev.fakegpu.api.Labels#SCHEDULER_NAME}: chooses a node and devices. Not
 * thread-safe.
 */
final class PodScheduling {

    private final PendingPodIndex pendingPods;
    private final GangScheduling gangs;
    private final PreFilter preFilter;
    private final SchedulingCycle schedulingCycle;
    private final ClaimReleaser claimReleaser;
    private final BindingPlanner planner;
    private final InFlightDecisions inFlight;
    private final NodePreference preference;
    private final PostFilter postFilter;

    PodScheduling(
            PendingPodIndex pendingPods,
            GangScheduling gangs,
            PreFilter preFilter,
            SchedulingCycle schedulingCycle,
            ClaimReleaser claimReleaser,
            BindingPlanner planner,
            InFlightDecisions inFlight,
            NodePreference preference,
            PostFilter postFilter) {
        this.pendingPods = pendingPods;
        this.gangs = gangs;
        this.preFilter = preFilter;
        this.schedulingCycle = schedulingCycle;
        this.claimReleaser = claimReleaser;
        this.planner = planner;
        this.inFlight = inFlight;
        this.preference = preference;
        this.postFilter = postFilter;
    }

    /** Does nothing if the pod is no longer pending, in which case the event that says so is still in the event loop. */
    void decide(QueueItem item) {
        pendingPods.forDecision(item).ifPresent(pending -> decide(item, pending));
    }

    private void decide(QueueItem item, PendingPod pending) {
        if (gangs.decide(item, pending.pod())) {
            return;
        }
        Optional<PodRequirements> passed = preFilter.filter(item, pending);
        passed.ifPresent(requirements -> schedulingCycle
                .place(
                        item,
                        requirements.key(item),
                        requirements,
                        requirements::claims,
                        requirements::admission,
                        preference.of(requirements))
                .ifPresentOrElse(placement -> inFlight.submit(planner.forPod(item, requirements, placement)), () -> {
                    claimReleaser.releaseOwnClaims(pending.pod(), pending.claims());
                    postFilter.refused(item, requirements);
                }));
    }
}
