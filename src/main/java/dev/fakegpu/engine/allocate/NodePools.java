package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.Pool;
import java.util.List;

/** The pools that a node sees, in the order in which the allocator tries their devices. */
record NodePools(NodeInfo node, List<Pool> pools) {
    NodePools {
        pools = List.copyOf(pools);
    }

    /**
     * Whether the node can access a device, according to the node selection of the slice or of the device itself.
     *
     * @throws AllocationException if the node selector is invalid
     */
    static boolean reaches(Slice slice, Device device, NodeInfo node) {
        NodeSelection nodes = slice.nodesOf(device);
        if (nodes instanceof NodeSelection.Matching matching) {
            requireUsable(matching.selector(), slice, device);
        }
        return nodes.matches(node.name(), node.labels());
    }

    private static void requireUsable(NodeSelector selector, Slice slice, Device device) {
        selector.problem().ifPresent(problem -> {
            throw new AllocationException("gather pool information: failed to perform node selection for device "
                    + device.name() + " in slice " + slice.name() + ": " + problem);
        });
    }
}
