package dev.fakegpu.schedule;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.schedule.fit.SchedulableNode;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** Tries to place those who wait, each only on nodes where something happened since the last attempt of its like. For one thread. */
final class SchedulingCycle {

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final NodeSearch placer;
    private final ExplanationQueue explanations;
    private final BiConsumer<QueueItem, Duration> refused;
    private final Clock clock;

    SchedulingCycle(
            SchedulerCache cache,
            SchedulingQueue queue,
            NodeSearch placer,
            ExplanationQueue explanations,
            BiConsumer<QueueItem, Duration> refused,
            Clock clock) {
        this.cache = cache;
        this.queue = queue;
        this.placer = placer;
        this.explanations = explanations;
        this.refused = refused;
        this.clock = clock;
    }

    /**
     * Where the claims go; if nowhere, the item waits as unschedulable.
     *
     * @param wants equal for all that can be served in the same way
     */
    Optional<NodeSearch.Placement> place(
            QueueItem item,
            Object wants,
            Predicate<SchedulableNode> fits,
            Function<SchedulableNode, List<Claim>> claims) {
        var group = queue.group(wants);
        long change = cache.changes().now();
        if (cache.changes().happenedSince(group.attemptedAt())) {
            Instant begun = clock.instant();
            var placement = placer.place(cache.nodesSince(group.attemptedAt()), fits, claims);
            if (placement.isPresent()) {
                return placement;
            }
            group.attempted(change);
            refused.accept(item, Duration.between(begun, clock.instant()));
        }
        queue.unschedulable(item, group);
        explanations.add(item, group);
        return Optional.empty();
    }

    Instant now() {
        return clock.instant();
    }

    /** It is looked at again when something of its own changes, at the latest at a certain time. */
    void await(QueueItem item, Instant due) {
        queue.await(item.uid(), due);
    }

    /** Something of its own has to change first. */
    void block(QueueItem item, String why) {
        var group = queue.group(item);
        group.attempted(EquivalenceClass.BLOCKED);
        queue.unschedulable(item, group);
        explanations.tellLater(item, why);
    }
}
