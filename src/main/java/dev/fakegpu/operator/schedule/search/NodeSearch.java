package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.explain.AskedDrivers;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.KnownClaims;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.engine.gang.GangSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the allocator on one node after another, and the explainer if the claims cannot be allocated on any. Not thread-safe. */
public final class NodeSearch {

    /** Limits count processor time; this one, of elapsed time, keeps the liveness check from ending the process on a busy machine. */
    private static final Duration MAX_ELAPSED = Duration.ofSeconds(30);

    /** How often a pod of a gang is tried on a node, once it is not simple. */
    private static final int MAX_TRIES = 100_000;

    private final Supplier<AllocationContext> state;
    private final SearchTime time;
    private final PendingChanges pending;
    private final OtherDevices others;
    private final KnownClaims known = new KnownClaims();

    /**
     * @param state what the next decision is based on
     * @param time what limits count
     * @param pending changes of slices that explanations take into account
     * @param others devices that explanations name where there are no more
     */
    public NodeSearch(Supplier<AllocationContext> state, SearchTime time, PendingChanges pending, OtherDevices others) {
        this.state = state;
        this.time = time;
        this.pending = pending;
        this.others = others;
    }

    /** Of which drivers claims can get devices. */
    public AskedDrivers asked(List<Claim> claims) {
        AllocationContext now = state.get();
        return AskedDrivers.of(claims, now.classes(), now.selectors());
    }

    /**
     * Of processor time.
     *
     * @param longest whoever waits
     * @param whileOthersWait ends the search once somebody waits
     * @param othersWait may change while the search goes on
     * @param nodes with devices, of which so many are looked for before one is chosen
     */
    public record Limit(Duration longest, Duration whileOthersWait, BooleanSupplier othersWait, int nodes) {}

    /** How a search ended. */
    public sealed interface Result {}

    /** There is a node and devices. */
    public record Found(Placement placement) implements Result {}

    /** All nodes were tried. */
    record NotFound() implements Result {}

    /** There was an error that concerns all nodes, so that others were not tried. */
    public record Failed() implements Result {}

    /**
     * The limit was reached, and nothing found until then.
     *
     * @param node where; it was not tried to the end
     * @param why what was being tried
     */
    public record Interrupted(String node, String why) implements Result {}

    /**
     * A node and the allocations of all claims on it.
     *
     * @param allocations one for each claim, in the order of the claims
     */
    public record Placement(String node, List<Allocation> allocations) {}

    /**
     * A node with devices.
     *
     * @param listScore points for the chosen alternatives of prioritized lists
     * @param allocations null if it is known only that there are some
     */
    public record Candidate(
            SchedulableNode node, int listScore, @Nullable List<Allocation> allocations) {}

    /** Which of several nodes with devices is chosen. */
    public interface Preference {

        /** The first of those with the best alternatives. */
        Preference BEST_ALTERNATIVES = candidates -> candidates.stream()
                .reduce((one, other) -> other.listScore() > one.listScore() ? other : one)
                .orElseThrow();

        /** @param candidates in the order in which they were found, at least one */
        Candidate choose(List<Candidate> candidates);
    }

    /** What becomes of a node with devices. */
    public enum Admission {
        ADMITTED,
        /** Until something else takes of the node's resources. */
        ADMITTED_NOW,
        /** The devices take more of the node's resources than are left. */
        REFUSED
    }

    /** Which nodes are searched. */
    public interface NodeFilter {

        /** Whether a node fits apart from devices. */
        boolean fits(SchedulableNode node);

        /** What becomes of a node on which the claims can be allocated. */
        Admission admission(SchedulableNode node, List<Allocation> allocations);

        /** The claims cannot be allocated on a node, nor can others like them until it changes. */
        void refused(SchedulableNode node);

        /** The claims can be allocated on a node, as can others like them until it or what is allocated of it changes. */
        void success(SchedulableNode node);

        /** Whether there was {@link #success} on a node, and nothing has changed since. */
        boolean succeeded(SchedulableNode node);
    }

    /**
     * The preferred one of the nodes on which all claims can be allocated. Stops as soon as there are enough of them; if one is enough, as soon
     * as none can have better alternatives of prioritized lists. Of several, none may have an error that concerns all nodes.
     *
     * @param nodes in order of preference
     * @param filter of the nodes
     * @param claims to be allocated together on a node; only the claim for extended resources depends on the node
     * @param preference among the nodes that were found
     * @param limit for all nodes together
     */
    public Result place(
            Stream<SchedulableNode> nodes,
            NodeFilter filter,
            Function<SchedulableNode, List<Claim>> claims,
            Preference preference,
            Limit limit) {
        var attempt = new Attempt(new Allocator(state.get()), filter, limit);
        for (Iterator<SchedulableNode> each = nodes.filter(filter::fits).iterator();
                attempt.isOpen() && each.hasNext(); ) {
            SchedulableNode node = each.next();
            if (!attempt.isKnown(node)) {
                attempt.tryOn(node, claims.apply(node));
            }
        }
        return attempt.result(preference, claims);
    }

    /** Places pods all or none. */
    public GangOutcome placeGang(Function<AllocationContext, GangProblem> problem) {
        return GangSearch.place(problem.apply(state.get()), limit(AttemptLimits.GANG), MAX_TRIES);
    }

    private final class Attempt {
        private final Allocator allocator;
        private final NodeFilter filter;
        private final int wanted;
        private final SearchLimit deadline;
        private final List<Candidate> candidates = new ArrayList<>();
        private Result unsuccessful = new NotFound();
        private int best;

        Attempt(Allocator allocator, NodeFilter filter, Limit limit) {
            this.allocator = allocator;
            this.filter = filter;
            wanted = limit.nodes();
            deadline = limit(limit.longest())
                    .and(SearchLimit.of(limit.whileOthersWait(), time.computing())
                            .onlyIf(limit.othersWait()));
        }

        boolean isOpen() {
            return unsuccessful instanceof NotFound
                    && (candidates.size() < wanted
                            || (wanted == 1
                                    && candidates.stream().allMatch(candidate -> candidate.listScore() < best)));
        }

        /** Whether the node is known to have devices, and would have no other alternatives than the others. */
        boolean isKnown(SchedulableNode node) {
            boolean isKnown = !candidates.isEmpty() && best == 0 && filter.succeeded(node);
            if (isKnown) {
                candidates.add(new Candidate(node, 0, null));
            }
            return isKnown;
        }

        void tryOn(SchedulableNode node, List<Claim> claims) {
            best = PrioritizedListScore.best(claims);
            Outcome outcome = allocator.allocate(node.devices(), claims, deadline);
            if (outcome instanceof Outcome.Allocated allocated) {
                allocated(node, claims, allocated.allocations());
            } else {
                unsuccessful = unsuccessful(node, outcome);
                if (unsuccessful instanceof NotFound) {
                    filter.refused(node);
                }
            }
        }

        private void allocated(SchedulableNode node, List<Claim> claims, List<Allocation> allocations) {
            Admission admission = filter.admission(node, allocations);
            if (admission == Admission.REFUSED) {
                filter.refused(node);
                return;
            }
            if (wanted > 1 && admission == Admission.ADMITTED) {
                filter.success(node);
            }
            candidates.add(new Candidate(node, PrioritizedListScore.of(claims, allocations), allocations));
        }

        Result result(Preference preference, Function<SchedulableNode, List<Claim>> claims) {
            boolean isOver = unsuccessful instanceof Failed && wanted > 1;
            return candidates.isEmpty() || isOver ? unsuccessful : found(preference.choose(candidates), claims);
        }

        private Result found(Candidate chosen, Function<SchedulableNode, List<Claim>> claims) {
            List<Allocation> known = chosen.allocations();
            if (known != null) {
                return new Found(new Placement(chosen.node().name(), known));
            }
            SchedulableNode node = chosen.node();
            Outcome outcome = allocator.allocate(node.devices(), claims.apply(node), deadline);
            return outcome instanceof Outcome.Allocated allocated
                    ? new Found(new Placement(node.name(), allocated.allocations()))
                    : unsuccessful(node, outcome);
        }
    }

    private static Result unsuccessful(SchedulableNode node, Outcome outcome) {
        if (outcome instanceof Outcome.Aborted aborted) {
            return new Interrupted(node.name(), aborted.message());
        }
        return outcome.isFatal() ? new Failed() : new NotFound();
    }

    /** @param before turns that the same explanation has had */
    public ExplanationTurn turn(int before, BooleanSupplier othersWait) {
        return new ExplanationTurn(before, time.computing(), othersWait);
    }

    /**
     * Explains why there is no placement. Inspects only nodes that have changed since the same claims, or one with the same requests, were
     * explained.
     *
     * @param nodes the nodes that were tried
     * @param claims as in {@link #place}; those of the first node are explained
     * @param turn the explanation means nothing if it is over in the end
     */
    public Explanation explain(
            List<SchedulableNode> nodes, Function<SchedulableNode, List<Claim>> claims, ExplanationTurn turn) {
        return explain(nodes, nodes.isEmpty() ? List.of() : claims.apply(nodes.get(0)), turn);
    }

    /** What is wrong with claims wherever they are to be allocated; {@link Reason#NoDevices} if nothing is. */
    public Explanation explainAnywhere(List<Claim> claims, ExplanationTurn turn) {
        return explain(List.of(), claims, turn);
    }

    private Explanation explain(List<SchedulableNode> nodes, List<Claim> ofFirstNode, ExplanationTurn turn) {
        SearchLimit limit = turn.within(limit(AttemptLimits.EXPLANATION));
        return new Explainer(state.get(), limit, pending, others, known.of(ofFirstNode))
                .explain(nodes.stream().map(SchedulableNode::devices).toList(), ofFirstNode);
    }

    /**
     * The devices for claims on a node; empty if there are none, or if the turn is over before they are found.
     *
     * @param turn of the explanation that wants to know
     */
    public Optional<List<Allocation>> find(SchedulableNode node, List<Claim> claims, ExplanationTurn turn) {
        SearchLimit limit = turn.within(limit(AttemptLimits.EXPLANATION));
        return new Allocator(state.get()).allocate(node.devices(), claims, limit) instanceof Outcome.Allocated found
                ? Optional.of(found.allocations())
                : Optional.empty();
    }

    private SearchLimit limit(Duration cpuTime) {
        return SearchLimit.of(cpuTime, time.computing()).and(SearchLimit.of(MAX_ELAPSED, time.elapsed()));
    }
}
