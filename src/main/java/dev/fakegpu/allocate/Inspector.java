package dev.fakegpu.allocate;

import dev.fakegpu.cel.Selectors;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks at claims with the parts that the {@link Allocator} searches with, but slowly, and says why. For use after a failure.
 */
public final class Inspector {

    private final SliceIndex slices;
    private final Map<String, DeviceClass> classes;
    private final Holdings holdings;
    private final Selectors selectors;
    private final AllocatorOptions options;

    /** @param slices made with the same options */
    public Inspector(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            Holdings holdings,
            Selectors selectors,
            AllocatorOptions options) {
        this.slices = slices;
        this.classes = classes;
        this.holdings = holdings;
        this.selectors = selectors;
        this.options = options;
    }

    /** What is wrong with claims on every node. */
    public Optional<Fault> fault(List<Claim> claims) {
        NodePools nothing = new NodePools(new Node("", Map.of()), List.of());
        return inspect(nothing, claims) instanceof Inspected.Faulty faulty
                ? Optional.of(faulty.fault())
                : Optional.empty();
    }

    public Inspected inspect(Node node, List<Claim> claims) {
        try {
            return inspect(slices.of(node), claims);
        } catch (AllocationException e) {
            return new Inspected.Faulty(e.fault());
        }
    }

    private Inspected inspect(NodePools pools, List<Claim> claims) {
        var candidates = new Candidates(pools, selectors, options);
        try {
            List<Demand> demands = new DemandChecker(classes, options, pools, candidates).check(claims);
            var constraints = new ClaimConstraints(claims, selectors, options);
            var attempt = new Attempt(pools, candidates, constraints, holdings, options);
            var refusals = new Refusals(candidates, constraints, attempt, holdings, options);
            return new Inspected.Open(new Inspection(pools, demands, attempt, refusals));
        } catch (AllocationException e) {
            return new Inspected.Faulty(e.fault());
        }
    }
}
