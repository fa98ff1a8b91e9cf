package dev.fakegpu.schedule;

import dev.fakegpu.dra.PoolId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The order in which nodes are tried: those of whose pools the fewest devices are held first, so that pods spread, then bytewise by
 * name. Pools that several nodes can reach count for none of them. For one thread.
 */
final class NodeScore {

    private record Rank(int held, String node) implements Comparable<Rank> {
        private static final Comparator<Rank> ORDER =
                Comparator.comparingInt(Rank::held).thenComparing(Rank::node);

        @Override
        public int compareTo(Rank other) {
            return ORDER.compare(this, other);
        }
    }

    private final NavigableSet<Rank> order = new TreeSet<>();
    private final Map<String, Rank> ranks = new HashMap<>();
    private final Map<PoolId, Integer> heldOfPool = new HashMap<>();
    private final Map<String, Integer> heldOnNode = new HashMap<>();
    private Map<PoolId, String> nodeOfPool = Map.of();

    void add(String node) {
        rank(node, heldOnNode.getOrDefault(node, 0));
    }

    void remove(String node) {
        Rank rank = ranks.remove(node);
        if (rank != null) {
            order.remove(rank);
        }
    }

    /** More or fewer devices of a pool are held. */
    void held(PoolId pool, int by) {
        heldOfPool.merge(pool, by, (one, other) -> one + other == 0 ? null : one + other);
        String node = nodeOfPool.get(pool);
        if (node != null) {
            count(node, by);
        }
    }

    /** Whose pools are whose from now on. */
    void pools(Map<PoolId, String> nodes) {
        if (nodes.equals(nodeOfPool)) {
            return;
        }
        nodeOfPool = Map.copyOf(nodes);
        heldOnNode.clear();
        heldOfPool.forEach((pool, held) -> {
            String node = nodeOfPool.get(pool);
            if (node != null) {
                heldOnNode.merge(node, held, Integer::sum);
            }
        });
        order.clear();
        ranks.keySet().stream().toList().forEach(this::add);
    }

    Stream<String> nodes() {
        return order.stream().map(Rank::node);
    }

    /** For nodes that are part of the order. */
    Comparator<String> comparator() {
        return Comparator.comparing(node -> Objects.requireNonNull(ranks.get(node)));
    }

    private void count(String node, int by) {
        int held = heldOnNode.merge(node, by, Integer::sum);
        if (ranks.containsKey(node)) {
            rank(node, held);
        }
    }

    private void rank(String node, int held) {
        remove(node);
        var rank = new Rank(held, node);
        ranks.put(node, rank);
        order.add(rank);
    }
}
