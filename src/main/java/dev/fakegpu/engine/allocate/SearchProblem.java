package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import java.util.List;

/**
 * Claims on one node, checked and ready to be searched or diagnosed.
 *
 * @param requests of all claims, in their order
 * @param candidates which devices are eligible, whatever else is allocated
 * @param constraints with the values of the devices picked so far
 * @param partial the devices picked so far
 */
record SearchProblem(
        List<Claim> claims,
        NodePools pools,
        List<ResolvedRequest> requests,
        Candidates candidates,
        ClaimConstraints constraints,
        PartialAllocation partial) {}
