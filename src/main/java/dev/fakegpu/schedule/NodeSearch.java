package dev.fakegpu.schedule;

import dev.fakegpu.allocate.Allocator;
import dev.fakegpu.allocate.Outcome;
import dev.fakegpu.allocate.SearchLimit;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.explain.Explainer;
import dev.fakegpu.explain.Explanation;
import dev.fakegpu.schedule.fit.SchedulableNode;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Asks the allocator for one node after the other, and the explainer where none will do. For one thread. */
final class NodeSearch {

    /** As long as kube-scheduler gives its plugin for all nodes of a pod. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    private final SchedulerCache cache;
    private final Selectors selectors;

    NodeSearch(SchedulerCache cache, Selectors selectors) {
        this.cache = cache;
        this.selectors = selectors;
    }

    /**
     * Where claims go.
     *
     * @param allocations one for each claim, in the claims' order
     */
    record Placement(String node, List<Allocation> allocations) {}

    /**
     * The node on which everything can be allocated with the best alternatives, of several the first. No further node is looked at
     * once nothing better can come.
     *
     * @param claims what is to be allocated on a node; only which extended resources are among it depends on the node
     */
    Optional<Placement> place(
            Stream<SchedulableNode> nodes,
            Predicate<SchedulableNode> fits,
            Function<SchedulableNode, List<Claim>> claims) {
        var allocator = new Allocator(
                cache.slices().index(), cache.classes(), cache.ledger().holdings(), selectors, cache.options());
        SearchLimit limit = SearchLimit.of(TIME_LIMIT, System::nanoTime);
        int best = 0;
        int bestSoFar = -1;
        @Nullable Placement chosen = null;
        for (Iterator<SchedulableNode> each = nodes.filter(fits).iterator();
                each.hasNext() && (chosen == null || bestSoFar < best); ) {
            SchedulableNode node = each.next();
            List<Claim> wanted = claims.apply(node);
            best = PrioritizedListScore.best(wanted);
            Outcome outcome = allocator.allocate(node.devices(), wanted, limit);
            if (outcome instanceof Outcome.Allocated allocated) {
                int score = PrioritizedListScore.of(wanted, allocated.allocations());
                if (score > bestSoFar) {
                    bestSoFar = score;
                    chosen = new Placement(node.name(), allocated.allocations());
                }
            } else if (endsAttempt(outcome)) {
                break;
            }
        }
        return Optional.ofNullable(chosen);
    }

    private static boolean endsAttempt(Outcome outcome) {
        return outcome instanceof Outcome.Aborted
                || outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL;
    }

    /**
     * Why there is no placement.
     *
     * @param claims as in {@link #place}; those of the first node are explained
     */
    Explanation explain(List<SchedulableNode> nodes, Function<SchedulableNode, List<Claim>> claims) {
        List<Claim> wanted = nodes.isEmpty() ? List.of() : claims.apply(nodes.get(0));
        return new Explainer(
                        cache.slices().index(), cache.classes(), cache.ledger().holdings(), selectors, cache.options())
                .explain(nodes.stream().map(SchedulableNode::devices).toList(), wanted);
    }
}
