package dev.fakegpu.operator.schedule;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.util.function.BiConsumer;

/**
 * Decisions whose writes are in flight. They are assumed: later decisions are made as if they were already written. Not thread-safe.
 */
final class InFlightDecisions implements BindingCycle.Listener {

    /** At this limit, further decisions wait, so that they are made with the latest priorities and state. */
    private static final int MAX_IN_FLIGHT = 64;

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final PendingPodIndex pendingPods;
    private final DecisionLog log;
    private final Clock clock;
    private final BiConsumer<BindingPlan, BindingCycle.Listener> binder;
    private int inFlight;

    /** @param binder starts to write a plan; calls back in the thread of this object */
    InFlightDecisions(
            SchedulerCache cache,
            SchedulingQueue queue,
            PendingPodIndex pendingPods,
            DecisionLog log,
            Clock clock,
            BiConsumer<BindingPlan, BindingCycle.Listener> binder) {
        this.cache = cache;
        this.queue = queue;
        this.pendingPods = pendingPods;
        this.log = log;
        this.clock = clock;
        this.binder = binder;
    }

    boolean hasRoom() {
        return inFlight < MAX_IN_FLIGHT;
    }

    /** Assumes the plan and starts to write it. */
    void submit(BindingPlan plan) {
        Pod pod = plan.pod();
        plan.steps().forEach(step -> cache.assume(step.claim(), step.devices(), pod));
        if (pod != null && plan.node() != null) {
            cache.usage().assume(pod, plan.node());
        }
        queue.succeeded(plan.item());
        pendingPods.writing(plan.item());
        inFlight++;
        binder.accept(plan, this);
    }

    @Override
    public void written(BindingPlan plan) {
        settleClaims(plan);
        settlePods(plan);
        if (plan.pod() == null) {
            queue.remove(plan.item().uid());
        }
        log.written(plan);
    }

    /** The pod or claim is scheduled again, based on its stored state. */
    @Override
    public void failed(BindingPlan plan) {
        settleClaims(plan);
        if (plan.pod() != null) {
            cache.usage().forget(plan.item().uid());
        }
        settlePods(plan);
        queue.backOff(plan.item().uid(), clock.instant());
        log.failed(plan);
    }

    private void settleClaims(BindingPlan plan) {
        inFlight--;
        pendingPods.written(plan.item());
        for (BindingPlan.Step step : plan.steps()) {
            ResourceClaim created = step.created().get();
            if (created != null) {
                // Before the assumption is dropped, so that its devices never appear free.
                cache.claimChanged(
                        plan.item().namespace(), created.getMetadata().getName());
            }
            cache.settled(step.claim());
        }
    }

    private void settlePods(BindingPlan plan) {
        QueueItem item = plan.item();
        Pod pod = plan.pod();
        if (pod != null) {
            cache.podStored(pod);
            pendingPods.changed(item.namespace(), item.name());
        }
        plan.steps()
                .forEach(step -> pendingPods.claimChanged(
                        item.namespace(), step.claim().getMetadata().getName()));
    }
}
