package dev.fakegpu.operator.schedule.cache;

import dev.fakegpu.dra.PoolId;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which nodes are tried: nodes with fewer allocated devices first, so that pods spread, then by name. Devices that more than
 * one node can access do not count. Not thread-safe.
 */
final class NodeScore {

    private record Rank(int allocated, String node) implements Comparable<Rank> {
        private static final Comparator<Rank> ORDER =
                Comparator.comparingInt(Rank::allocated).thenComparing(Rank::node);

        @Override
        public int compareTo(Rank other) {
            return ORDER.compare(this, other);
        }
    }

    private final NavigableSet<Rank> order = new TreeSet<>();
    private final Map<String, Rank> ranks = new HashMap<>();
    private final Map<PoolId, Integer> allocatedOfPool = new HashMap<>();
    private final Map<String, Integer> allocatedOnNode = new HashMap<>();
    private final Map<PoolId, String> nodeOfPool = new HashMap<>();

    void add(String node) {
        rank(node, allocatedOnNode.getOrDefault(node, 0));
    }

    void remove(String node) {
        Rank rank = ranks.remove(node);
        if (rank != null) {
            order.remove(rank);
        }
    }

    /** Records that the number of allocated devices of a pool changed. */
    void allocated(PoolId pool, int difference) {
        allocatedOfPool.merge(pool, difference, NodeScore::sum);
        String node = nodeOfPool.get(pool);
        if (node != null) {
            count(node, difference);
        }
    }

    /** The only node that can access the pool; null if there are several or none. */
    @Nullable String node(PoolId pool) {
        return nodeOfPool.get(pool);
    }

    /** @param node the only node that can access the pool now; null if there are several or none */
    void pool(PoolId pool, @Nullable String node) {
        String before = node == null ? nodeOfPool.remove(pool) : nodeOfPool.put(pool, node);
        int allocated = allocatedOfPool.getOrDefault(pool, 0);
        if (allocated == 0 || Objects.equals(before, node)) {
            return;
        }
        if (before != null) {
            count(before, -allocated);
        }
        if (node != null) {
            count(node, allocated);
        }
    }

    Stream<String> nodes() {
        return order.stream().map(Rank::node);
    }

    /** Compares only nodes that are part of the order. */
    Comparator<String> comparator() {
        return Comparator.comparing(node -> Objects.requireNonNull(ranks.get(node)));
    }

    private void count(String node, int difference) {
        allocatedOnNode.merge(node, difference, NodeScore::sum);
        if (ranks.containsKey(node)) {
            add(node);
        }
    }

    /** Returns null for zero, which needs no entry. */
    private static @Nullable Integer sum(int one, int other) {
        return one + other == 0 ? null : one + other;
    }

    private void rank(String node, int allocated) {
        remove(node);
        var rank = new Rank(allocated, node);
        ranks.put(node, rank);
        order.add(rank);
    }
}
