package dev.fakegpu.engine.problemfile;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import java.util.List;
import java.util.Set;

/**
 * The input of an allocator: claims, one node and the state of the cluster.
 *
 * @param name copied to the answer
 * @param features the enabled features, by upstream's names
 * @param interruption how the call is interrupted before it starts
 */
public record AllocationProblem(
        String name,
        Set<String> features,
        Interruption interruption,
        NodeInfo node,
        ClusterState state,
        List<Claim> claims) {

    /** How a caller interrupts an allocation. The allocator notices it at its first step. */
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
