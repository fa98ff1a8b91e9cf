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
public final class Diagnoser {

    private final SliceIndex slices;
    private final Map<String, DeviceClass> classes;
    private final AllocatedDevices holdings;
    private final Selectors selectors;
    private final AllocatorOptions options;

    /** @param slices made with the same options */
    public Diagnoser(
            SliceIndex slices,
            Map<String, DeviceClass> classes,
            AllocatedDevices holdings,
            Selectors selectors,
            AllocatorOptions options) {
        this.slices = slices;
        this.classes = classes;
        this.holdings = holdings;
        this.selectors = selectors;
        this.options = options;
    }

    /** What is wrong with claims on every node. */
    public Optional<RequestError> fault(List<Claim> claims) {
        NodePools nothing = new NodePools(new NodeInfo("", Map.of()), List.of());
        return inspect(nothing, claims) instanceof DiagnosisResult.Faulty faulty
                ? Optional.of(faulty.fault())
                : Optional.empty();
    }

    public DiagnosisResult inspect(NodeInfo node, List<Claim> claims) {
        try {
            return inspect(slices.of(node), claims);
        } catch (AllocationException e) {
            return new DiagnosisResult.Faulty(e.fault());
        }
    }

    private DiagnosisResult inspect(NodePools pools, List<Claim> claims) {
        var candidates = new Candidates(pools, selectors, options);
        try {
            List<ResolvedRequest> demands = new RequestValidator(classes, options, pools, candidates).check(claims);
            var constraints = new ClaimConstraints(claims, selectors, options);
            var attempt = new PartialAllocation(pools, candidates, constraints, holdings, options);
            var refusals = new RefusalFinder(candidates, constraints, attempt, holdings, options);
            return new DiagnosisResult.Open(new Diagnosis(pools, demands, attempt, refusals));
        } catch (AllocationException e) {
            return new DiagnosisResult.Faulty(e.fault());
        }
    }
}
