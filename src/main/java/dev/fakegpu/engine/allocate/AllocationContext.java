package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.cel.EvaluationInterrupted;
import dev.fakegpu.engine.cel.Selectors;
import java.util.List;
import java.util.Map;

/**
 * A state of the cluster and the options for allocating from it, on which {@link Allocator} and {@link Diagnoser} base their decisions.
 * Results that are computed from slices and selectors are cached in {@code slices} and {@code selectors}, which outlive the state.
 *
 * @param slices an index with the same options
 * @param classes the device classes by name
 * @param allocated the devices that claims hold
 */
public record AllocationContext(
        SliceIndex slices,
        Map<String, DeviceClass> classes,
        AllocatedDevices allocated,
        Selectors selectors,
        AllocatorOptions options) {

    /** A context for a state that is used once. */
    public static AllocationContext of(ClusterState state, Selectors selectors, AllocatorOptions options) {
        return new AllocationContext(
                new SliceIndex(state.slices(), options),
                state.classes(),
                new AllocatedDevices(state.allocated(), options.groupPolicy()),
                selectors,
                options);
    }

    /**
     * Validates claims on a node, with no devices picked yet.
     *
     * @param limit the limit of the attempt
     * @throws EvaluationInterrupted if the limit is reached
     * @throws AllocationException for the first problem of the claims or the node's slices
     */
    SearchProblem problem(NodePools pools, List<Claim> claims, LimitCheck limit) {
        var candidates = new Candidates(pools, selectors, options, limit);
        List<ResolvedRequest> requests = new RequestValidator(classes, options, pools, candidates).check(claims);
        var constraints = new ClaimConstraints(claims, selectors, options, limit);
        var partial = new PartialAllocation(pools, candidates, constraints, allocated, options);
        return new SearchProblem(claims, pools, requests, candidates, constraints, partial);
    }
}
