package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds devices for claims. One instance serves one attempt: it looks at one state of the cluster and is asked for one node after
 * the other. Not for use by several threads.
 *
 * <p>The answer is the first solution in a fixed order, the same as upstream's: claims and requests as given, pools by driver and
 * name, slices by name, devices as listed.
 */
public final class Allocator {

    private final ClusterState state;
    private final AllocatorOptions options;
    private final PoolGatherer gatherer;
    private final Holdings holdings;
    private final Verdicts verdicts;

    public Allocator(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this.state = state;
        this.options = options;
        gatherer = new PoolGatherer(state.slices(), options.gate());
        holdings = new Holdings(state.allocated(), options.groupPolicy());
        verdicts = new Verdicts(state.classes(), selectors);
    }

    /**
     * Allocates all claims on a node, or none of them.
     *
     * @param claims those of a pod that have no allocation yet
     * @return {@link Outcome.Failed} with scope FATAL for claims that cannot be allocated anywhere as they are, an unknown class
     *     or a selector that fails; with scope NODE where nothing fits and one of the pools is invalid
     */
    public Outcome allocate(Node node, List<Claim> claims) {
        try {
            List<Pool> pools = gatherer.gather(node);
            List<Demand> demands = Demand.of(claims, state.classes());
            var search = new Search(demands, candidates(pools), holdings, verdicts, options.tolerations());
            return search.run() ? allocated(node, claims, search.picks()) : noneOrInvalid(pools);
        } catch (AllocationException e) {
            return e.outcome();
        }
    }

    private List<Search.Candidate> candidates(List<Pool> pools) {
        return Search.Candidate.of(pools, pool -> {
            var counters = new CounterLedger(pool, holdings);
            var groups = new GroupLedger(pool, holdings, options.gate());
            return device -> new Search.Candidate(device, counters, groups);
        });
    }

    private Outcome allocated(Node node, List<Claim> claims, List<Search.Pick> picks) {
        var assembler = new ResultAssembler(node, state.classes());
        var allocations = new ArrayList<Allocation>();
        for (int i = 0; i < claims.size(); i++) {
            int claimIndex = i;
            allocations.add(assembler.assemble(
                    claims.get(i),
                    picks.stream()
                            .filter(pick -> pick.demand().claimIndex() == claimIndex)
                            .toList()));
        }
        return new Outcome.Allocated(allocations);
    }

    /** Valid pools may serve the claims in spite of an invalid one, so that is said only when they did not. */
    private static Outcome noneOrInvalid(List<Pool> pools) {
        return pools.stream().anyMatch(Pool.Invalid.class::isInstance)
                ? new Outcome.Failed("invalid resource pools were encountered", Outcome.Scope.NODE)
                : new Outcome.None();
    }
}
