package dev.fakegpu.engine.gang;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.pool.Pool;
import dev.fakegpu.engine.allocate.pool.PoolDevice;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Pods to be placed together.
 *
 * @param context the state from which devices are allocated
 * @param nodes the nodes in order of preference
 * @param members the members that have no node yet
 * @param atLeast the minimum number of members; if fewer fit, none is placed
 * @param topology a node label that must have the same value for all members; empty if there is none
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

    /** The members with numbers as keys, which can be compared quickly. */
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
     * @param key equal for members that fit on the same nodes with the same devices
     * @param claims the claims that have no devices yet, by the index of the node: where a device plugin serves extended resources, a pod
     *     needs no claim for them; a claim that several members share has the same reference in all of them
     */
    public record Member(Object key, IntFunction<List<Claim>> claims) {}

    /** Decides by criteria other than devices where members can be placed. */
    @FunctionalInterface
    public interface Fit {

        /**
         * Whether a member fits on a node beside others. If it does not fit beside some members, it does not fit beside more either.
         *
         * @param member the index of the member
         * @param node the index of the node
         * @param beside the indexes of the other members on the node
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
         * @param node the index of the node
         * @param members the indexes of all members on the node
         * @param allocations the allocations of their claims, except those that already had devices
         */
        default boolean admits(int node, List<Integer> members, Map<ClaimRef, Allocation> allocations) {
            return true;
        }
    }

    /** @param indexes the indexes of the nodes among all nodes */
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

    /** Whether members on different nodes may compete for devices. */
    public boolean sharesDevices() {
        return context.slices().areShared();
    }

    /** Whether members on other nodes than this one may need the devices of a pool, or what these consume. */
    boolean isShared(PoolId pool, int node) {
        var only = new NodeSelection.NodeName(nodes.get(node).name());
        return !context.slices().slices(pool).stream()
                .allMatch(slice -> slice.nodes().equals(only));
    }

    /** The devices of a node in pools that another node does not see. */
    Stream<DeviceId> outOfReach(int node, int other) {
        Set<PoolId> seen = usable(other).map(Pool.Usable::id).collect(Collectors.toSet());
        return usable(node)
                .filter(pool -> !seen.contains(pool.id()))
                .flatMap(pool -> pool.devices().stream())
                .map(PoolDevice::id);
    }

    private Stream<Pool.Usable> usable(int node) {
        return context.slices().pools(nodes.get(node)).stream()
                .filter(Pool.Usable.class::isInstance)
                .map(Pool.Usable.class::cast);
    }

    /** The same pods and nodes in another state. */
    public GangProblem with(AllocationContext changed) {
        return new GangProblem(changed, nodes, members, atLeast, topology, fit);
    }

    GangProblem on(List<NodeInfo> fewer) {
        List<Integer> indexes = fewer.stream().map(nodes::indexOf).toList();
        List<Member> there = members.stream()
                .map(member -> new Member(member.key(), node -> member.claims().apply(indexes.get(node))))
                .toList();
        return new GangProblem(context, fewer, there, atLeast, Optional.empty(), new OnFewer(fit, indexes));
    }
}
