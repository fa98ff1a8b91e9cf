package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import java.util.ArrayList;
import java.util.List;

/**
 * Allocates devices for claims, in one state of the cluster and for any number of nodes. Thread-safe.
 *
 * <p>The answer is the first solution in a fixed order, which is upstream's: claims, requests and alternatives as given, pools by driver
 * and name, slices by name, and devices as listed.
 */
public final class Allocator {

    private final AllocationContext context;

    public Allocator(AllocationContext context) {
        this.context = context;
    }

    /** Does the same as {@link #allocate(NodeInfo, List, SearchLimit)} without a limit. */
    public Outcome allocate(NodeInfo node, List<Claim> claims) {
        return allocate(node, claims, SearchLimit.none());
    }

    /**
     * Allocates all claims on a node, or none of them.
     *
     * @param claims the claims of a pod that have no allocation yet
     * @return {@link Outcome.Failed} with scope FATAL for claims that cannot be allocated on any node, for example because a class is
     *     unknown or a selector fails; with scope NODE if nothing fits and one of the pools is invalid; {@link Outcome.Aborted} if the
     *     limit was reached first
     */
    public Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit) {
        return allocate(node, claims, limit, Search.UNDONE_BEFORE_LOOKAHEAD);
    }

    /** @param maxUndone see {@link Search} */
    Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit, int maxUndone) {
        var check = new LimitCheck(limit);
        try {
            SearchProblem problem = context.problem(context.slices().of(node, check), claims, check);
            var search = new Search(problem, limit, maxUndone);
            return search.run() ? allocated(problem, search) : noneOrInvalid(problem.pools());
        } catch (AllocationException e) {
            return e.outcome();
        } catch (EvaluationInterrupted e) {
            return new Outcome.Aborted(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            // The search itself is not recursive, but constraints and expressions are.
            return new Outcome.Failed(
                    "the claims have more constraints or deeper expressions than can be worked on",
                    Outcome.Scope.FATAL);
        }
    }

    private Outcome allocated(SearchProblem problem, Search search) {
        List<PartialAllocation.Pick> picks = problem.partial().picks();
        List<ResolvedRequest> requests = problem.requests();
        var assembler = new ResultAssembler(problem.pools().node(), problem.partial(), context.options());
        var allocations = new ArrayList<Allocation>(problem.claims().size());
        int request = 0;
        int pick = 0;
        for (int claim = 0; claim < problem.claims().size(); claim++) {
            var variants = new ArrayList<RequestVariant>();
            for (; request < requests.size() && requests.get(request).claimIndex() == claim; request++) {
                variants.add(search.chosen(request));
            }
            int first = pick;
            while (pick < picks.size() && picks.get(pick).variant().claimIndex() == claim) {
                pick++;
            }
            allocations.add(assembler.assemble(problem.claims().get(claim), variants, picks.subList(first, pick)));
        }
        return new Outcome.Allocated(allocations);
    }

    /** Valid pools may satisfy the claims in spite of an invalid one, so that is reported only if they did not. */
    private static Outcome noneOrInvalid(NodePools pools) {
        return pools.pools().stream()
                .filter(Pool.Invalid.class::isInstance)
                .map(Pool.Invalid.class::cast)
                .findFirst()
                .<Outcome>map(invalid -> new Outcome.Failed(
                        "resource pool " + invalid.id() + " is invalid: " + invalid.reason(), Outcome.Scope.NODE))
                .orElseGet(Outcome.None::new);
    }
}
