package dev.fakegpu.dra;

/** Where the devices of a slice can be reached from: exactly one of these (ResourceSliceSpec). */
public sealed interface NodeSelection {

    /** One node has them. */
    record NodeName(String name) implements NodeSelection {}

    /** Every node can reach them. */
    record AllNodes() implements NodeSelection {}

    /** Nodes that match a selector can reach them. */
    record Matching(NodeSelector selector) implements NodeSelection {}

    /** Something this version does not know, or selection per device: such slices are left alone. */
    record Unsupported(String what) implements NodeSelection {}
}
