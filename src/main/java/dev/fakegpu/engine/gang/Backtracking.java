package dev.fakegpu.engine.gang;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.gang.GangState.OnNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Tries all ways to place members on nodes. Members with the same key are placed in the order of the nodes, since they are interchangeable.
 * A branch is pruned if all nodes together have room for fewer members of a key than there are left.
 */
final class Backtracking {

    private final GangProblem problem;
    private final SearchLimit limit;
    private final int maxSteps;
    private final SearchLimit distributions;

    /** By key and node, the number of members that fit if the node has no others. */
    private final Map<Object, int[]> room = new HashMap<>();

    /** The members. Those with the same key are adjacent. */
    private final List<Integer> order;

    private GangState state;
    private int steps;

    /** @param distributions the limit of {@link Distribution} */
    Backtracking(GangProblem problem, SearchLimit limit, int maxSteps, SearchLimit distributions) {
        this.problem = problem;
        this.limit = limit;
        this.maxSteps = maxSteps;
        this.distributions = distributions;
        state = new GangState(problem, limit, distributions);
        Map<Object, Integer> firsts = new HashMap<>();
        Map<Object, List<Integer>> byKey = new HashMap<>();
        for (int member = 0; member < problem.members().size(); member++) {
            Object key = key(member);
            firsts.putIfAbsent(key, member);
            byKey.computeIfAbsent(key, ignored -> new ArrayList<>()).add(member);
        }
        byKey.forEach((key, members) -> room.put(key, roomFor(members)));
        Comparator<Object> leastRoomFirst = Comparator.<Object>comparingInt(
                        key -> IntStream.of(room(key)).sum())
                .thenComparing(key -> Objects.requireNonNull(firsts.get(key)));
        order = byKey.keySet().stream()
                .sorted(leastRoomFirst)
                .flatMap(key -> Objects.requireNonNull(byKey.get(key)).stream())
                .toList();
    }

    private Object key(int member) {
        return problem.members().get(member).key();
    }

    private int[] room(Object key) {
        return Objects.requireNonNull(room.get(key));
    }

    private int[] roomFor(List<Integer> members) {
        int[] each = new int[problem.nodes().size()];
        for (int node = 0; node < each.length; node++) {
            var before = new ArrayDeque<Map<Integer, OnNode>>();
            Map<Integer, OnNode> last = state.add(members.get(0), node);
            while (last != null) {
                before.push(last);
                last = before.size() == members.size() ? null : state.add(members.get(before.size()), node);
            }
            each[node] = before.size();
            for (int left = before.size(); left > 0; left--) {
                state.restore(members.get(left - 1), before.pop());
            }
        }
        return each;
    }

    /** Places for all members except some; empty if there are none. */
    Optional<GangOutcome.Places> without(int some) {
        state = new GangState(problem, limit, distributions);
        return place(0, 0, some) ? Optional.of(state.places()) : Optional.empty();
    }

    /**
     * Places a member and the members after it.
     *
     * @param first the first node to try: the node of the previous member if that has the same key
     * @param some how many members may be omitted
     */
    private boolean place(int position, int first, int some) {
        if (position == order.size()) {
            return true;
        }
        int member = order.get(position);
        if (left(position) - roomFrom(first, key(member)) > some) {
            return false;
        }
        for (int node = first; node < problem.nodes().size(); node++) {
            if (room(key(member))[node] == 0) {
                continue;
            }
            if (++steps > maxSteps) {
                throw new GangException(
                        new GangOutcome.Aborted("gave up after " + maxSteps + " attempts to put a pod on a node"));
            }
            Map<Integer, OnNode> before = state.add(member, node);
            if (before != null) {
                if (place(position + 1, isLikeNext(position) ? node : 0, some)) {
                    return true;
                }
                state.restore(member, before);
            }
        }
        return some > 0
                && place(position + 1, isLikeNext(position) ? problem.nodes().size() : 0, some - 1);
    }

    private boolean isLikeNext(int position) {
        return position + 1 < order.size() && key(order.get(position)).equals(key(order.get(position + 1)));
    }

    /** The number of remaining members with the key, including this one. */
    private int left(int position) {
        int next = position;
        while (isLikeNext(next)) {
            next++;
        }
        return next - position + 1;
    }

    private int roomFrom(int first, Object key) {
        int[] each = room(key);
        int sum = 0;
        for (int node = first; node < each.length; node++) {
            long here = state.on(node).members().stream()
                    .filter(other -> key(other).equals(key))
                    .count();
            sum += each[node] - (int) here;
        }
        return sum;
    }
}
