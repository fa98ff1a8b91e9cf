package dev.fakegpu.dra;

import java.util.Map;

/** The nodes that can access the devices of a slice, or a single device (ResourceSliceSpec, Device). */
public sealed interface NodeSelection {

    /** The devices are local to one node. */
    record NodeName(String name) implements NodeSelection {}

    /** All nodes can access them. */
    record AllNodes() implements NodeSelection {}

    /** Nodes that match a selector can access them. */
    record Matching(NodeSelector selector) implements NodeSelection {}

    /**
     * An empty node name together with another selection. The API rejects that; upstream's allocator matches nodes with the other
     * selection, but still binds the allocation to the node.
     */
    record WithEmptyNodeName(NodeSelection selection) implements NodeSelection {}

    /** No selection, or one of an unknown kind: the devices are accessible from no node. */
    record None() implements NodeSelection {}

    /** Upstream: {@code NodeMatches} in {@code pools_experimental.go}. */
    default boolean matches(String nodeName, Map<String, String> labels) {
        if (this instanceof NodeName only) {
            return only.name().equals(nodeName);
        }
        if (this instanceof Matching matching) {
            return matching.selector().matches(nodeName, labels);
        }
        if (this instanceof WithEmptyNodeName with) {
            return with.selection().matches(nodeName, labels);
        }
        return this instanceof AllNodes;
    }
}
