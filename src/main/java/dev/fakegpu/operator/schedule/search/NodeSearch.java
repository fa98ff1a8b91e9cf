package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.explain.AskedDrivers;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.GangRemedyFinder;
import dev.fakegpu.engine.explain.KnownClaims;
import dev.fakegpu.engine.explain.OtherDevices;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.engine.gang.GangProblem;
import dev.fakegpu.engine.gang.GangSearch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs the allocator on one node after another, and the explainer if the claims cannot be allocated on any node. Not thread-safe. */
public final class NodeSearch {

    /** Limits count processor time; this limit of elapsed time keeps the liveness probe from ending the process on a busy machine. */
    private static final Duration MAX_ELAPSED = Duration.ofSeconds(30);

    /** How often a pod of a gang is tried on a node if the gang is not trivial. */
    private static final int MAX_TRIES = 100_000;

    private final Supplier<AllocationContext> state;
    private final SearchTime time;
    private final PendingChanges pending;
    private final OtherDevices others;
    private final KnownClaims known = new KnownClaims();

    /**
     * @param state the state on which the next decision is based
     * @param time the time that limits count
     * @param pending pending changes of slices that explanations take into account
     * @param others devices of other allocators, which explanations name when devices run out
     */
    public NodeSearch(Supplier<AllocationContext> state, SearchTime time, PendingChanges pending, OtherDevices others) {
        this.state = state;
        this.time = time;
        this.pending = pending;
        this.others = others;
    }

    /** The drivers from which the claims can get devices. */
    public AskedDrivers asked(List<Claim> claims) {
        AllocationContext now = state.get();
        return AskedDrivers.of(claims, now.classes(), now.selectors());
    }

    /**
     * Limits of processor time.
     *
     * @param longest the limit even if no other work waits
     * @param whileOthersWait the limit if other work waits
     * @param othersWait may change during the search
     * @param nodes the number of nodes with devices to find before one is chosen
     */
    public record Limit(Duration longest, Duration whileOthersWait, BooleanSupplier othersWait, int nodes) {}

    /** How a search ended. */
    public sealed interface Result {}

    /** A node with devices was found. */
    public record Found(Placement placement) implements Result {}

    /** All nodes were tried. */
    record NotFound() implements Result {}

    /** An error that concerns all nodes ended the search before all were tried. */
    public record Failed() implements Result {}

    /**
     * The limit was reached before a node was found.
     *
     * @param node the node at which the search stopped, before it was fully tried
     * @param why what the search was trying
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
     * @param listScore the points for the chosen alternatives of prioritized lists
     * @param allocations null if it is only known that they exist
     */
    public record Candidate(
            SchedulableNode node, int listScore, @Nullable List<Allocation> allocations) {}

    /** Chooses among nodes with devices. */
    public interface Preference {

        /** Chooses the first node among those with the best alternatives. */
        Preference BEST_ALTERNATIVES = candidates -> candidates.stream()
                .reduce((one, other) -> other.listScore() > one.listScore() ? other : one)
                .orElseThrow();

        /** @param candidates in the order in which they were found; at least one */
        Candidate choose(List<Candidate> candidates);
    }

    /** Whether a node with devices is accepted. */
    public enum Admission {
        ADMITTED,
        /** Accepted until something else takes of the node's resources. */
        ADMITTED_NOW,
        /** The devices take more of the node's resources than are left. */
        REFUSED
    }

    /** Selects the nodes to search. */
    public interface NodeFilter {

        /** Whether a node fits apart from devices. */
        boolean fits(SchedulableNode node);

        /** Whether a node on which the claims can be allocated is accepted. */
        Admission admission(SchedulableNode node, List<Allocation> allocations);

        /** Records that the claims, and others with the same requirements, cannot be allocated on a node until it changes. */
        void refused(SchedulableNode node);

        /**
         * Records that the claims, and others with the same requirements, can be allocated on a node until it or its allocations change.
         */
        void success(SchedulableNode node);

        /** Whether {@link #success} was recorded for a node and nothing has changed since. */
        boolean succeeded(SchedulableNode node);
    }

    /**
     * Returns the preferred node among those on which all claims can be allocated. The search stops as soon as it has found enough nodes;
     * if one is enough, it stops when no other node can have better alternatives of prioritized lists. If several are needed, an error that
     * concerns all nodes fails the search.
     *
     * @param nodes in order of preference
     * @param filter selects nodes
     * @param claims to be allocated together on a node; only the claim for extended resources depends on the node
     * @param preference among the nodes that were found
     * @param limit the limit for all nodes together
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

    /**
     * Finds what would make a gang fit.
     *
     * @param ofGang the claims of its pods
     */
    public Optional<Function<NameScope, String>> wayOutOfGang(
            Function<AllocationContext, GangProblem> problem, Set<ClaimRef> ofGang) {
        return new GangRemedyFinder(problem.apply(state.get()), ofGang, pending, limit(AttemptLimits.EXPLANATION))
                .wayOut();
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

        /** Whether the node is known to have devices, and its alternatives would be the same as on other nodes. */
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

    /** @param before the number of turns that the same explanation has had */
    public ExplanationTurn turn(int before, BooleanSupplier othersWait) {
        return new ExplanationTurn(before, time.computing(), othersWait);
    }

    /**
     * Explains why there is no placement. It inspects only nodes that have changed since the same claims, or a claim with the same
     * requests, were last explained.
     *
     * @param nodes the nodes that were tried
     * @param claims as in {@link #place}; those of the first node are explained
     * @param turn the result is meaningless if the turn is over at the end
     */
    public Explanation explain(
            List<SchedulableNode> nodes, Function<SchedulableNode, List<Claim>> claims, ExplanationTurn turn) {
        return explain(nodes, claims, Set.of(), turn);
    }

    /**
     * The same for a pod of a gang.
     *
     * @param ofGang the claims of its pods, which must keep their devices
     */
    public Explanation explain(
            List<SchedulableNode> nodes,
            Function<SchedulableNode, List<Claim>> claims,
            Set<ClaimRef> ofGang,
            ExplanationTurn turn) {
        return explain(nodes, nodes.isEmpty() ? List.of() : claims.apply(nodes.get(0)), ofGang, turn);
    }

    /** Explains what is wrong with claims regardless of the node; {@link Reason#NoDevices} if nothing is. */
    public Explanation explainAnywhere(List<Claim> claims, ExplanationTurn turn) {
        return explain(List.of(), claims, Set.of(), turn);
    }

    private Explanation explain(
            List<SchedulableNode> nodes, List<Claim> ofFirstNode, Set<ClaimRef> ofGang, ExplanationTurn turn) {
        SearchLimit limit = turn.within(limit(AttemptLimits.EXPLANATION));
        return new Explainer(state.get(), limit, pending, others, known.of(ofFirstNode))
                .keeping(ofGang)
                .explain(nodes.stream().map(SchedulableNode::devices).toList(), ofFirstNode);
    }

    /**
     * Finds devices for claims on a node; returns empty if there are none, or if the turn ends before they are found.
     *
     * @param turn the turn of the explanation that asks
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
