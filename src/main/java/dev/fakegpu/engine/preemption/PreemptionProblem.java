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
 * A pod that waits, and those that it might take the place of.
 *
 * @param context whose devices it wants
 * @param nodes where it might be; of those that are equally good, the first one is taken
 * @param users of claims: UIDs of pods, and of whatever else they are reserved for. A claim is released when all of them are gone; one that
 *     is not mentioned never is
 * @param budgets in the order in which they are asked
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
     * @param claims for which the waiting pod needs devices there
     * @param victims whose going might help there, all of lower priority than the waiting pod
     */
    public record Candidate(NodeInfo node, List<Claim> claims, List<Victim> victims) {
        public Candidate {
            claims = List.copyOf(claims);
            victims = List.copyOf(victims);
        }
    }

    /** What besides devices decides whether the waiting pod can be on a node. */
    @FunctionalInterface
    public interface Fit {

        /** @param gone UIDs of the pods that are not there any more */
        boolean fits(NodeInfo node, Set<String> gone);

        /**
         * The same once there are devices, which may take of the node, too.
         *
         * @param found for the candidate's claims, in the same order
         */
        default boolean fitsWith(NodeInfo node, Set<String> gone, List<Allocation> found) {
            return true;
        }
    }
}
