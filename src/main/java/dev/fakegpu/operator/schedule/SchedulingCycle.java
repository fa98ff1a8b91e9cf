package dev.fakegpu.operator.schedule;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.operator.schedule.bind.CompanionMessages;
import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.EquivalenceClass;
import dev.fakegpu.operator.schedule.queue.PendingReason;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.queue.Unschedulable;
import dev.fakegpu.operator.schedule.report.DecisionListener;
import dev.fakegpu.operator.schedule.report.DecisionLog;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.operator.schedule.search.AttemptLimits;
import dev.fakegpu.operator.schedule.search.NodeCheck;
import dev.fakegpu.operator.schedule.search.NodeSearch;
import dev.fakegpu.operator.schedule.search.UnchangedNodes;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Attempts to place a pod or claim. Considers only nodes that changed since they refused one with the same requirements. An attempt that
 * took too long is continued later from where it stopped, after a back-off. Not thread-safe.
 */
public final class SchedulingCycle {

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final NodeSearch nodeSearch;
    private final ExplanationQueue explanations;
    private final DecisionLog log;
    private final Ticker ticker;
    private final AttemptLimits limits;
    private final UnchangedNodes refusedNodes;
    private final UnchangedNodes successfulNodes;

    /** Nodes where an earlier attempt succeeded and nothing has been allocated or released since. */
    private final UnchangedNodes unallocatedNodes;

    SchedulingCycle(
            SchedulerCache cache,
            SchedulingQueue queue,
            NodeSearch nodeSearch,
            ExplanationQueue explanations,
            DecisionLog log,
            Ticker ticker) {
        this.cache = cache;
        this.queue = queue;
        this.nodeSearch = nodeSearch;
        this.explanations = explanations;
        this.log = log;
        this.ticker = ticker;
        limits = new AttemptLimits(queue.shares());
        refusedNodes = new UnchangedNodes(cache.generations());
        successfulNodes = new UnchangedNodes(cache.generations());
        unallocatedNodes = new UnchangedNodes(cache.allocations());
    }

    /** Finds a node and devices for a claim without a pod, which needs nothing else from the node. */
    Optional<NodeSearch.Placement> place(
            QueueItem item,
            Object requirements,
            NodeCheck check,
            Function<SchedulableNode, List<Claim>> claims,
            NodeSearch.Preference preference) {
        return place(
                item, requirements, check, claims, (node, allocations) -> NodeSearch.Admission.ADMITTED, preference);
    }

    /**
     * Finds a node and devices; if there are none, the item becomes unschedulable.
     *
     * @param requirements equal for all items of an equivalence class
     * @param check whether a node fits apart from devices
     * @param claims to be allocated together on a node
     * @param admission whether a node still fits with the devices that were found on it
     * @param preference among the nodes with devices
     */
    Optional<NodeSearch.Placement> place(
            QueueItem item,
            Object requirements,
            NodeCheck check,
            Function<SchedulableNode, List<Claim>> claims,
            BiFunction<SchedulableNode, List<Allocation>, NodeSearch.Admission> admission,
            NodeSearch.Preference preference) {
        // For an item in a class of its own, nothing is remembered, since its claims may change.
        Object key = requirements instanceof QueueItem
                ? requirements
                : cache.nominations().key(requirements);
        var equivalenceClass = queue.equivalenceClass(key);
        if (isWorthAnAttempt(equivalenceClass)) {
            long generation = cache.generations().latest();
            Moment begun = ticker.now();
            var result = log.timed(
                    DecisionListener.Phase.SEARCH,
                    () -> nodeSearch.place(
                            nodesToTry(equivalenceClass),
                            filter(key, equivalenceClass, check, admission),
                            claims,
                            preference,
                            limit(item.namespace(), equivalenceClass, begun)));
            if (result instanceof NodeSearch.Found found) {
                return Optional.of(found.placement());
            }
            record(item, equivalenceClass, result, generation);
            log.unschedulable(item, ticker.since(begun));
        }
        if (equivalenceClass.interruption() == null) {
            queue.unschedulable(item, equivalenceClass);
            explanations.add(item, equivalenceClass);
        } else {
            queue.backOff(item, equivalenceClass);
            explanations.report(item, PendingReason.undecided(CompanionMessages.interrupted()));
        }
        return Optional.empty();
    }

    private NodeSearch.NodeFilter filter(
            Object requirements,
            EquivalenceClass equivalenceClass,
            NodeCheck check,
            BiFunction<SchedulableNode, List<Allocation>, NodeSearch.Admission> admission) {
        var refused = refusedNodes.of(requirements);
        var successful = successfulNodes.of(requirements);
        var unallocated = unallocatedNodes.of(requirements);
        boolean wakesByCause = !cache.profile().sharesTime(); // as kube-scheduler, not the companion
        return new NodeSearch.NodeFilter() {
            @Override
            public boolean fits(SchedulableNode node) {
                if (refused.contains(node.name())) {
                    equivalenceClass.needsDevices();
                    return false;
                }
                boolean fitsElse = check.fits(node);
                if (!fitsElse && wakesByCause && check.mayFitBesideOthers(node)) {
                    equivalenceClass.needsOther();
                }
                return fitsElse;
            }

            @Override
            public NodeSearch.Admission admission(SchedulableNode node, List<Allocation> allocations) {
                return admission.apply(node, allocations);
            }

            @Override
            public void refused(SchedulableNode node) {
                equivalenceClass.needsDevices();
                refused.add(node.name());
            }

            @Override
            public void success(SchedulableNode node) {
                successful.add(node.name());
                unallocated.add(node.name());
            }

            @Override
            public boolean succeeded(SchedulableNode node) {
                return successful.contains(node.name()) && unallocated.contains(node.name());
            }
        };
    }

    private NodeSearch.Limit limit(String namespace, EquivalenceClass equivalenceClass, Moment begun) {
        boolean othersAreActive = queue.isActiveBeside(namespace);
        return new NodeSearch.Limit(
                limits.ofAttempt(namespace, equivalenceClass, begun),
                limits.whileOthersWait(namespace, begun),
                () -> othersAreActive || queue.isArrivingBeside(namespace),
                cache.profile().nodesToFind(cache.nodes().size()));
    }

    /** Whether something has changed since pods of a gang with these requirements were refused. */
    boolean isWorthAnAttempt(Object requirements) {
        return isWorthAnAttempt(queue.equivalenceClass(requirements));
    }

    /**
     * Makes pods of a gang unschedulable together.
     *
     * @param why empty if they are explained like other pods
     */
    void refuse(List<QueueItem> items, Object requirements, Optional<PendingReason> why) {
        var equivalenceClass = queue.equivalenceClass(requirements);
        equivalenceClass.attempted(cache.generations().latest());
        equivalenceClass.needsDevices();
        equivalenceClass.needsOther();
        items.forEach(item -> {
            equivalenceClass.explain(item.namespace(), why.map(each -> new Unschedulable(each, false)));
            queue.unschedulable(item, equivalenceClass);
            explanations.add(item, equivalenceClass);
        });
    }

    /** Does the same for pods that are refused for the same reason as before. */
    void refuseAgain(List<QueueItem> items, Object requirements) {
        var equivalenceClass = queue.equivalenceClass(requirements);
        items.forEach(item -> queue.unschedulable(item, equivalenceClass));
    }

    /** The last explanation of why a pod or claim is pending. */
    Optional<PendingReason> reason(String uid) {
        return explanations.reason(uid);
    }

    /** Retries the item when something else changes, such as another pod of its gang. */
    void await(QueueItem item) {
        var equivalenceClass = queue.equivalenceClass(item);
        equivalenceClass.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(item, equivalenceClass);
    }

    /** Retries the item with back-off after a search that took too long. */
    void interrupted(QueueItem item) {
        backOff(item);
        explanations.report(item, PendingReason.undecided(CompanionMessages.interrupted()));
    }

    private boolean isWorthAnAttempt(EquivalenceClass equivalenceClass) {
        return equivalenceClass.interruption() == null
                ? cache.generations().anyChangedSince(equivalenceClass.attemptedAt())
                : !equivalenceClass.isBackingOff(ticker.now());
    }

    private Stream<SchedulableNode> nodesToTry(EquivalenceClass equivalenceClass) {
        var interruption = equivalenceClass.interruption();
        return interruption == null
                ? cache.changedSince(equivalenceClass.triedAllAt())
                : cache.nodesAfter(interruption.node());
    }

    private void record(QueueItem item, EquivalenceClass equivalenceClass, NodeSearch.Result result, long generation) {
        if (result instanceof NodeSearch.Interrupted interrupted) {
            var interruption = limits.interruption(equivalenceClass, interrupted.node(), ticker.now());
            equivalenceClass.interrupted(interruption);
            log.interrupted(item, interruption, interrupted.why());
        } else if (result instanceof NodeSearch.Failed) {
            equivalenceClass.failed(generation);
        } else {
            equivalenceClass.attempted(generation);
        }
    }

    /** Retries the item when it or one of its claims changes, or at the given time. */
    void retryAt(QueueItem item, Moment due) {
        queue.await(item.uid(), due);
    }

    /** Retries the item with back-off. */
    void backOff(QueueItem item) {
        queue.backOff(item.uid(), ticker.now());
    }

    /** The item is retried with back-off, whatever changes before: the devices that it had were not ready in the end. */
    void backOffFromBinding(String uid) {
        queue.backOffFromBinding(uid, ticker.now());
    }

    /** Does not retry the item until it or one of its claims changes. */
    void block(QueueItem item, PendingReason why) {
        await(item);
        explanations.reportLater(item, why);
    }

    /** Does the same, but reports the reason only if it still holds after a delay, which gives other controllers time to change it. */
    void block(QueueItem item, PendingReason why, Duration time) {
        await(item);
        explanations.reportAfter(item, why, time);
    }
}
