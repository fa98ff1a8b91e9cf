package dev.fakegpu.schedule;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Numbers the changes that could let somebody in who was refused: a device became free, a slice, class or node came or changed. For
 * each node it knows the last one, so that another attempt need only look at the nodes where something happened since the
 * previous one.
 */
final class NodeChangeClock {

    private long now;
    private long everywhere;
    private final Map<String, Long> byNode = new HashMap<>();
    private final NavigableMap<Long, String> nodes = new TreeMap<>();

    /** The number of the last change. */
    long now() {
        return now;
    }

    /** Something that may matter on any node. */
    void anywhere() {
        everywhere = ++now;
        byNode.clear();
        nodes.clear();
    }

    void on(String node) {
        now++;
        Long before = byNode.put(node, now);
        if (before != null) {
            nodes.remove(before);
        }
        nodes.put(now, node);
    }

    /** Whether anything happened since a change. */
    boolean happenedSince(long change) {
        return now > change;
    }

    /** Whether every node has to be looked at again; otherwise those of {@link #nodesSince}. */
    boolean anywhereSince(long change) {
        return everywhere > change;
    }

    Collection<String> nodesSince(long change) {
        return nodes.tailMap(change, false).values();
    }
}
