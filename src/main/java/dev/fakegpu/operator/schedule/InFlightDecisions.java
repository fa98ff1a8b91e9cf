package dev.fakegpu.operator.schedule;

import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.operator.schedule.bind.BindingCycle;
import dev.fakegpu.operator.schedule.bind.BindingPlan;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.util.Ticker;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Decisions whose writes are in flight. They are assumed: later decisions treat them as already written. The number in flight is limited
 * for each namespace, to leave room for others. Of the decisions whose last write timed out, only one is retried at a time. Not
 * thread-safe.
 */
final class InFlightDecisions implements BindingCycle.Listener {

    /** At this limit, further decisions wait, so that they use the latest priorities and state. */
    static final int MAX_IN_FLIGHT = 64;

    /** How long a decision whose last write timed out waits while another such decision is in flight. */
    private static final Duration TURN = Duration.ofSeconds(10);

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final PendingPodIndex pendingPods;
    private final DecisionLog log;
    private final Ticker ticker;
    private final BiConsumer<QueueItem, PendingReason> reporter;
    private final BiConsumer<BindingPlan, BindingCycle.Listener> binder;
    private final int maxPerNamespace;
    private final Map<String, Integer> byNamespace = new HashMap<>();
    private int inFlight;

    /** The UID of the item in flight whose last write timed out. */
    private @Nullable String retried;

    /**
     * @param reporter reports why something is pending
     * @param maxPerNamespace how many decisions for one namespace may be in flight
     * @param binder writes a plan, and calls back in the thread of this object
     */
    InFlightDecisions(
            SchedulerCache cache,
            SchedulingQueue queue,
            PendingPodIndex pendingPods,
            DecisionLog log,
            Ticker ticker,
            BiConsumer<QueueItem, PendingReason> reporter,
            int maxPerNamespace,
            BiConsumer<BindingPlan, BindingCycle.Listener> binder) {
        this.cache = cache;
        this.queue = queue;
        this.pendingPods = pendingPods;
        this.log = log;
        this.ticker = ticker;
        this.reporter = reporter;
        this.maxPerNamespace = maxPerNamespace;
        this.binder = binder;
    }

    /**
     * Whether another decision for the namespace may begin: the namespace must have fewer in flight than its maximum, and fewer than there
     * are free slots.
     */
    boolean hasRoom(String namespace) {
        return byNamespace.getOrDefault(namespace, 0) < Math.min(maxPerNamespace, MAX_IN_FLIGHT - inFlight);
    }

    /** Assumes the plan and starts writing it. */
    void submit(BindingPlan plan) {
        String uid = plan.item().uid();
        if (queue.hasTimedOut(uid)) {
            if (retried != null) {
                queue.hold(uid, ticker.now().plus(TURN));
                return;
            }
            retried = uid;
        }
        Pod pod = plan.pod();
        plan.steps().forEach(step -> cache.assume(step.claim(), step.devices(), pod));
        if (pod != null && plan.node() != null) {
            cache.usage().assume(pod, plan.node());
        }
        queue.succeeded(plan.item());
        pendingPods.writing(plan.item());
        inFlight++;
        byNamespace.merge(plan.item().namespace(), 1, Integer::sum);
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
        settleFailed(plan);
        queue.backOff(plan.item().uid(), ticker.now());
        log.failed(plan);
    }

    /** Retries much later and tells the user why, since each try costs the API server more than other items should have to pay for. */
    @Override
    public void timedOut(BindingPlan plan) {
        settleFailed(plan);
        queue.backOffAfterTimeout(plan.item().uid(), ticker.now())
                .ifPresent(wait ->
                        reporter.accept(plan.item(), PendingReason.notStored(CompanionMessages.timedOut(wait))));
        log.failed(plan);
    }

    private void settleFailed(BindingPlan plan) {
        settleClaims(plan);
        if (plan.pod() != null) {
            cache.usage().forget(plan.item().uid());
        }
        settlePods(plan);
    }

    private void settleClaims(BindingPlan plan) {
        inFlight--;
        byNamespace.computeIfPresent(plan.item().namespace(), (namespace, count) -> count == 1 ? null : count - 1);
        if (plan.item().uid().equals(retried)) {
            retried = null;
        }
        pendingPods.written(plan.item());
        for (BindingPlan.Step step : plan.steps()) {
            ResourceClaim created = step.created().get();
            if (created != null) {
                // Before the assumption is dropped, so that its devices never seem to be free.
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
        Optional.ofNullable(pod)
                .flatMap(PodGroup::nameFor)
                .ifPresent(group -> pendingPods.groupChanged(item.namespace(), group));
    }
}
