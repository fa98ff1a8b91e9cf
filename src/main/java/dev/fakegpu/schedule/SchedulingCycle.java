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
 * Attempts to place a pod or claim. Considers only nodes that changed since the last attempt for its equivalence class. Not thread-safe.
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
     * Finds a node and devices; if there are none, the item becomes unschedulable.
     *
     * @param requirements equal for all items of an equivalence class
     * @param fits whether a node fits apart from devices
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

    /** The item is retried when it or one of its claims changes, or when it is due. */
    void retryAt(QueueItem item, Instant due) {
        queue.await(item.uid(), due);
    }

    /** The item is retried with back-off. */
    void backOff(QueueItem item) {
        queue.backOff(item.uid(), clock.instant());
    }

    /** The item is not retried until it or one of its claims changes. */
    void block(QueueItem item, String why) {
        var equivalenceClass = queue.equivalenceClass(item);
        equivalenceClass.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(item, equivalenceClass);
        explanations.reportLater(item, why);
    }
}
