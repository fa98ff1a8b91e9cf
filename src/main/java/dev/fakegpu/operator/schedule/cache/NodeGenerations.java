package dev.fakegpu.operator.schedule.cache;

import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The generation of each node: a number that increases with every change that may let a refused pod or claim fit there, such as a freed
 * device or a new slice. An attempt records the latest generation that it saw, and the next attempt considers only nodes that have changed
 * since. Upstream: {@code NodeInfo.Generation} of kube-scheduler's cache.
 */
public final class NodeGenerations {

    /** Older than any change. */
    public static final long NONE = -1;

    /** What changed. */
    public enum Cause {
        /** Devices were released or published. */
        DEVICES,
        /** Pods were added or removed. */
        PODS,
        /** Anything else, with an unknown effect. */
        OTHER
    }

    private long latest;
    private long latestOfAll;
    private final Map<Cause, Long> byCause = new EnumMap<>(Cause.class);
    private final Map<String, Long> byNode = new HashMap<>();
    private final NavigableMap<Long, String> nodes = new TreeMap<>();

    /** The generation of the last change. */
    public long latest() {
        return latest;
    }

    /** Records a change that may matter on any node. */
    public void changedEverywhere() {
        changedEverywhere(Cause.OTHER);
    }

    public void changedEverywhere(Cause cause) {
        latestOfAll = ++latest;
        byCause.put(cause, latest);
        byNode.clear();
        nodes.clear();
    }

    /** Records a change that matters on one node only. */
    public void changed(String node) {
        changed(node, Cause.OTHER);
    }

    public void changed(String node, Cause cause) {
        latest++;
        byCause.put(cause, latest);
        Long before = byNode.put(node, latest);
        if (before != null) {
            nodes.remove(before);
        }
        nodes.put(latest, node);
    }

    public boolean anyChangedSince(long generation) {
        return latest > generation;
    }

    /** Whether there was a change with this cause since the generation. */
    public boolean anyChangedSince(long generation, Cause cause) {
        return byCause.getOrDefault(cause, NONE) > generation;
    }

    /** Whether all nodes must be considered again; otherwise only those of {@link #changedSince}. */
    boolean allChangedSince(long generation) {
        return latestOfAll > generation;
    }

    public boolean changedSince(String node, long generation) {
        return latestOfAll > generation || byNode.getOrDefault(node, NONE) > generation;
    }

    public Collection<String> changedSince(long generation) {
        return nodes.tailMap(generation, false).values();
    }
}
