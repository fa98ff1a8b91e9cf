package dev.fakegpu.schedule;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.schedule.fit.SchedulableNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Attempts to place a pod or claim. Only nodes that changed since the last attempt for its equivalence class are considered. For one
 * thread.
 */
final class SchedulingCycle {

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final NodeSearch nodeSearch;
    private final ExplanationQueue explanations;
    private final DecisionLog log;
    private final Clock clock;

    SchedulingCycle(
            SchedulerCache cache,
            SchedulingQueue queue,
            NodeSearch nodeSearch,
            ExplanationQueue explanations,
            DecisionLog log,
            Clock clock) {
        this.cache = cache;
        this.queue = queue;
        this.nodeSearch = nodeSearch;
        this.explanations = explanations;
        this.log = log;
        this.clock = clock;
    }

    /**
     * Finds a node and devices; without any, the item becomes unschedulable.
     *
     * @param requirements equal for all items that can be served in the same way
     * @param fits whether a node can be used as far as anything but devices matters
     * @param claims to be allocated together on a node
     */
    Optional<NodeSearch.Placement> place(
            QueueItem item,
            Object requirements,
            Predicate<SchedulableNode> fits,
            Function<SchedulableNode, List<Claim>> claims) {
        var equivalenceClass = queue.equivalenceClass(requirements);
        long generation = cache.generations().latest();
        if (cache.generations().anyChangedSince(equivalenceClass.attemptedAt())) {
            Instant begun = clock.instant();
            var placement = nodeSearch.place(cache.changedSince(equivalenceClass.attemptedAt()), fits, claims);
            if (placement.isPresent()) {
                return placement;
            }
            equivalenceClass.attempted(generation);
            log.unschedulable(item, Duration.between(begun, clock.instant()));
        }
        queue.unschedulable(item, equivalenceClass);
        explanations.add(item, equivalenceClass);
        return Optional.empty();
    }

    /** The item is decided again when something of its own changes, and at the latest when it is due. */
    void retryAt(QueueItem item, Instant due) {
        queue.await(item.uid(), due);
    }

    /** The item is decided again soon, later each time. */
    void backOff(QueueItem item) {
        queue.backOff(item.uid(), clock.instant());
    }

    /** The item is not decided again before something of its own changes. */
    void block(QueueItem item, String why) {
        var equivalenceClass = queue.equivalenceClass(item);
        equivalenceClass.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(item, equivalenceClass);
        explanations.reportLater(item, why);
    }
}
