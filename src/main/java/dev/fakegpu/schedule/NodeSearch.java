package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocationContext;
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

/** Runs the allocator on one node after another, and the explainer if the claims cannot be allocated on any. Not thread-safe. */
final class NodeSearch {

    /** For all nodes together. Upstream: the default {@code filterTimeout} of kube-scheduler's plugin {@code DynamicResources}. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(10);

    private final SchedulerCache cache;
    private final Selectors selectors;

    NodeSearch(SchedulerCache cache, Selectors selectors) {
        this.cache = cache;
        this.selectors = selectors;
    }

    /**
     * A node and the allocations of all claims on it.
     *
     * @param allocations one for each claim, in the order of the claims
     */
    record Placement(String node, List<Allocation> allocations) {}

    /**
     * The node on which all claims can be allocated with the best alternatives of their prioritized lists; the first of several. Stops as
     * soon as no better score is possible.
     *
     * @param nodes in order of preference
     * @param fits whether a node fits apart from devices
     * @param claims to be allocated together on a node; only the claim for extended resources depends on the node
     */
    Optional<Placement> place(
            Stream<SchedulableNode> nodes,
            Predicate<SchedulableNode> fits,
            Function<SchedulableNode, List<Claim>> claims) {
        var allocator = new Allocator(context());
        SearchLimit limit = SearchLimit.of(TIME_LIMIT, System::nanoTime);
        int best = 0;
        int chosenScore = -1;
        @Nullable Placement chosen = null;
        for (Iterator<SchedulableNode> each = nodes.filter(fits).iterator();
                each.hasNext() && (chosen == null || chosenScore < best); ) {
            SchedulableNode node = each.next();
            List<Claim> ofNode = claims.apply(node);
            best = PrioritizedListScore.best(ofNode);
            Outcome outcome = allocator.allocate(node.devices(), ofNode, limit);
            if (outcome instanceof Outcome.Allocated allocated) {
                int score = PrioritizedListScore.of(ofNode, allocated.allocations());
                if (score > chosenScore) {
                    chosenScore = score;
                    chosen = new Placement(node.name(), allocated.allocations());
                }
            } else if (endsSearch(outcome)) {
                break;
            }
        }
        return Optional.ofNullable(chosen);
    }

    private static boolean endsSearch(Outcome outcome) {
        return outcome instanceof Outcome.Aborted
                || outcome instanceof Outcome.Failed failed && failed.scope() == Outcome.Scope.FATAL;
    }

    /**
     * Explains why there is no placement.
     *
     * @param nodes the nodes that were tried
     * @param claims as in {@link #place}; those of the first node are explained
     */
    Explanation explain(List<SchedulableNode> nodes, Function<SchedulableNode, List<Claim>> claims) {
        List<Claim> ofFirstNode = nodes.isEmpty() ? List.of() : claims.apply(nodes.get(0));
        return new Explainer(context())
                .explain(nodes.stream().map(SchedulableNode::devices).toList(), ofFirstNode);
    }

    private AllocationContext context() {
        return new AllocationContext(
                cache.slices().index(),
                cache.classes(),
                cache.assumeCache().allocatedDevices(),
                selectors,
                cache.options().allocatorOptions());
    }
}
