package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds devices for claims. One instance looks at one state of the cluster and is asked for one node after the other, by several
 * threads if need be. What lasts longer than a state is in the {@link SliceIndex}.
 *
 * <p>The answer is the first solution in a fixed order, the same as upstream's: claims, requests and alternatives as given, pools by
 * driver and name, slices by name, devices as listed.
 */
public final class Allocator {

    private final SliceIndex slices;
    private final Map<String, DeviceClass> classes;
    private final AllocatedDevices holdings;
    private final Selectors selectors;
    private final AllocatorOptions options;
    private final int patience;

    /** For a state that is looked at once. */
    public Allocator(ClusterState state, Selectors selectors, AllocatorOptions options) {
        this(
                new SliceIndex(state.slices(), options),
                state.classes(),
                new AllocatedDevices(state.allocated(), options.groupPolicy()),
                selectors,
                options);
    }

    /** @param slices made with the same options */
    public Allocator(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices holdings,
            Selectors selectors,
            AllocatorOptions options) {
        this(slices, classes, holdings, selectors, options, Search.PATIENCE);
    }

    private Allocator(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices holdings,
            Selectors selectors,
            AllocatorOptions options,
            int patience) {
        this.slices = slices;
        this.classes = classes;
        this.holdings = holdings;
        this.selectors = selectors;
        this.options = options;
        this.patience = patience;
    }

    /** With searches that look ahead sooner or later, which must not change any answer. */
    Allocator withPatience(int newPatience) {
        return new Allocator(slices, classes, holdings, selectors, options, newPatience);
    }

    /** Like {@link #allocate(NodeInfo, List, SearchLimit)}, for as long as it takes. */
    public Outcome allocate(NodeInfo node, List<Claim> claims) {
        return allocate(node, claims, SearchLimit.none());
    }

    /**
     * Allocates all claims on a node, or none of them.
     *
     * @param claims those of a pod that have no allocation yet
     * @return {@link Outcome.Failed} with scope FATAL for claims that cannot be allocated anywhere as they are, such as an unknown
     *     class or a selector that fails; with scope NODE where nothing fits and one of the pools is invalid;
     *     {@link Outcome.Aborted} where the limit was reached first
     */
    public Outcome allocate(NodeInfo node, List<Claim> claims, SearchLimit limit) {
        try {
            NodePools pools = slices.of(node);
            var candidates = new Candidates(pools, selectors, options);
            List<ResolvedRequest> demands = new RequestValidator(classes, options, pools, candidates).check(claims);
            var constraints = new ClaimConstraints(claims, selectors, options);
            var attempt = new PartialAllocation(pools, candidates, constraints, holdings, options);
            var search = new Search(demands, claims.size(), pools, candidates, constraints, attempt, limit, patience);
            return search.run() ? allocated(node, claims, demands, search, attempt) : noneOrInvalid(pools);
        } catch (AllocationException e) {
            return e.outcome();
        }
    }

    private Outcome allocated(
            NodeInfo node,
            List<Claim> claims,
            List<ResolvedRequest> demands,
            Search search,
            PartialAllocation attempt) {
        var assembler = new ResultAssembler(node, attempt, options);
        var allocations = new ArrayList<Allocation>(claims.size());
        int demand = 0;
        int pick = 0;
        for (int claim = 0; claim < claims.size(); claim++) {
            var asks = new ArrayList<RequestVariant>();
            for (; demand < demands.size() && demands.get(demand).claimIndex() == claim; demand++) {
                asks.add(search.chosen(demand));
            }
            int first = pick;
            while (pick < attempt.picks().size()
                    && attempt.picks().get(pick).ask().claimIndex() == claim) {
                pick++;
            }
            allocations.add(
                    assembler.assemble(claims.get(claim), asks, attempt.picks().subList(first, pick)));
        }
        return new Outcome.Allocated(allocations);
    }

    /** Valid pools may serve the claims in spite of an invalid one, so that is said only when they did not. */
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
