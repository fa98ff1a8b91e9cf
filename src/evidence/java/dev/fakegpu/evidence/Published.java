package dev.fakegpu.evidence;

import java.util.List;

/** What a driver publishes on one node, as YAML. */
interface Published {

    String driver();

    /** All slices of the node. */
    List<String> slices(String node);

    /** The slice with the devices, which is called like the node with {@code -devices}. */
    String deviceSlice(String node);
}
