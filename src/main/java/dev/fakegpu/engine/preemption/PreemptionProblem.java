package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A pod that waits, and the pods that it could replace.
 *
 * @param context the state from which devices are allocated
 * @param nodes the nodes where the pod could run; of equally good nodes, the first one is chosen
 * @param users the users of claims: the UIDs of pods and of other objects that the claims are reserved for. A claim is released when all of
 *     its users are gone; a claim that is not listed is never released
 * @param budgets the PodDisruptionBudgets in the order in which they are checked
 */
public record PreemptionProblem(
        AllocationContext context,
        List<Candidate> nodes,
        Map<ClaimRef, Set<String>> users,
        List<Budget> budgets,
        Fit fit) {

    public PreemptionProblem {
        nodes = List.copyOf(nodes);
        users = Map.copyOf(users);
        budgets = List.copyOf(budgets);
    }

    /**
     * A node.
     *
     * @param claims the claims for which the waiting pod needs devices there
     * @param victims the pods whose removal could help there, all of lower priority than the waiting pod
     */
    public record Candidate(NodeInfo node, List<Claim> claims, List<Victim> victims) {
        public Candidate {
            claims = List.copyOf(claims);
            victims = List.copyOf(victims);
        }
    }

    /** Decides by criteria other than devices whether the waiting pod fits on the node. */
    @FunctionalInterface
    public interface Fit {

        /** @param gone the UIDs of the pods that are no longer there */
        boolean fits(NodeInfo node, Set<String> gone);

        /**
         * Decides the same once devices were found, since these may take resources of the node, too.
         *
         * @param found the allocations of the candidate's claims, in the same order
         */
        default boolean fitsWith(NodeInfo node, Set<String> gone, List<Allocation> found) {
            return true;
        }
    }
}
