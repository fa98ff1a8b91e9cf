package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Pods to be placed together.
 *
 * @param context whose devices they get
 * @param nodes in order of preference
 * @param members those that have no node yet
 * @param atLeast so many of them, or none
 * @param topology a label of nodes, of which all members need the same value; empty if they do not
 */
public record GangProblem(
        AllocationContext context,
        List<NodeInfo> nodes,
        List<Member> members,
        int atLeast,
        Optional<String> topology,
        Fit fit) {

    public GangProblem {
        nodes = List.copyOf(nodes);
        members = numbered(members);
    }

    /** With keys that are compared at once. */
    private static List<Member> numbered(List<Member> members) {
        var numbers = new HashMap<Object, Integer>();
        return members.stream()
                .map(member ->
                        new Member(numbers.computeIfAbsent(member.key(), ignored -> numbers.size()), member.claims()))
                .toList();
    }

    /**
     * A pod.
     *
     * @param key equal for members for which the same nodes and devices are right
     * @param claims those that have no devices yet; one that several members share is the same in all of them
     */
    public record Member(Object key, List<Claim> claims) {
        public Member {
            claims = List.copyOf(claims);
        }
    }

    /** What besides devices decides where members can be. */
    @FunctionalInterface
    public interface Fit {

        /**
         * Whether a member fits on a node beside others. If it does not fit beside some, then neither beside more.
         *
         * @param member by its index
         * @param node by its index
         * @param beside members that are to be there, too, by their indexes
         */
        boolean fits(int member, int node, List<Integer> beside);

        /**
         * Whether it matters on which nodes the other members are, as for affinity of pods. Then {@link #fitsWith} is asked, and the order of
         * the members counts.
         */
        default boolean dependsOnOthers() {
            return false;
        }

        /**
         * Whether a member fits on a node if others are where they are.
         *
         * @param member by its index
         * @param node by its index
         * @param others the nodes of other members, both by their indexes
         */
        default boolean fitsWith(int member, int node, Map<Integer, Integer> others) {
            throw new UnsupportedOperationException("the nodes of other members do not matter");
        }

        /**
         * Whether a node also has enough for what the devices take of it that were found for members.
         *
         * @param node by its index
         * @param members all that are to be there, by their indexes
         * @param allocations of their claims, as far as these had no devices yet
         */
        default boolean admits(int node, List<Integer> members, Map<ClaimRef, Allocation> allocations) {
            return true;
        }
    }

    /** @param indexes of the nodes among all */
    private record OnFewer(Fit fit, List<Integer> indexes) implements Fit {
        @Override
        public boolean fits(int member, int node, List<Integer> beside) {
            return fit.fits(member, indexes.get(node), beside);
        }

        @Override
        public boolean dependsOnOthers() {
            return fit.dependsOnOthers();
        }

        @Override
        public boolean fitsWith(int member, int node, Map<Integer, Integer> others) {
            Map<Integer, Integer> amongAll = new HashMap<>(others);
            amongAll.replaceAll((other, its) -> indexes.get(its));
            return fit.fitsWith(member, indexes.get(node), amongAll);
        }

        @Override
        public boolean admits(int node, List<Integer> members, Map<ClaimRef, Allocation> allocations) {
            return fit.admits(indexes.get(node), members, allocations);
        }
    }

    GangProblem on(List<NodeInfo> fewer) {
        List<Integer> indexes = fewer.stream().map(nodes::indexOf).toList();
        return new GangProblem(context, fewer, members, atLeast, Optional.empty(), new OnFewer(fit, indexes));
    }
}
