package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import java.util.List;

/**
 * Claims on one node, validated and ready to be searched or diagnosed.
 *
 * @param requests the requests of all claims, in their order
 * @param candidates decides which devices are eligible, regardless of what is allocated
 * @param constraints the constraints, with the values of the devices picked so far
 * @param partial the devices picked so far
 */
record SearchProblem(
        List<Claim> claims,
        NodePools pools,
        List<ResolvedRequest> requests,
        Candidates candidates,
        ClaimConstraints constraints,
        PartialAllocation partial) {}
