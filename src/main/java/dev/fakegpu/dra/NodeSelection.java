package dev.fakegpu.dra;

import java.util.Map;

/** Where the devices of a slice, or a single device, can be reached from (ResourceSliceSpec, Device). */
public sealed interface NodeSelection {

    /** One node has them. */
    record NodeName(String name) implements NodeSelection {}

    /** Every node can reach them. */
    record AllNodes() implements NodeSelection {}

    /** Nodes that match a selector can reach them. */
    record Matching(NodeSelector selector) implements NodeSelection {}

    /**
     * Written with an empty node name beside another selection. The API refuses that; upstream's allocator goes by the other
     * selection and ties the allocation to the node all the same.
     */
    record WithEmptyNodeName(NodeSelection selection) implements NodeSelection {}

    /** Nothing is said, or something that this version does not know: not reached from anywhere. */
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
