package dev.fakegpu.problemfile;

import dev.fakegpu.allocate.ClusterState;
import dev.fakegpu.allocate.NodeInfo;
import dev.fakegpu.dra.Claim;
import java.util.List;
import java.util.Set;

/**
 * What an allocator decides on: some claims and one node.
 *
 * @param name repeated in the answer
 * @param features upstream's names of those that are on
 * @param interruption how the call is interrupted before it begins
 */
public record AllocationProblem(
        String name,
        Set<String> features,
        Interruption interruption,
        NodeInfo node,
        ClusterState state,
        List<Claim> claims) {

    /** Ways in which a caller interrupts an allocation; the allocator notices each at its first step. */
    public enum Interruption {
        NONE,
        TIMEOUT,
        DEADLINE,
        CANCEL
    }

    public AllocationProblem {
        features = Set.copyOf(features);
        claims = List.copyOf(claims);
    }
}
