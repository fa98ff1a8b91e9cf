package dev.fakegpu.allocate;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The pools that a node sees, in the order in which their devices are tried.
 *
 * @param unusable the first pool that is incomplete or invalid, null if there is none
 * @param hasInvalid whether any pool is invalid
 */
record NodePools(Node node, List<Pool> pools, @Nullable Pool unusable, boolean hasInvalid) {

    static NodePools of(Node node, List<Pool> pools) {
        return new NodePools(
                node,
                List.copyOf(pools),
                pools.stream()
                        .filter(pool -> !(pool instanceof Pool.Usable))
                        .findFirst()
                        .orElse(null),
                pools.stream().anyMatch(Pool.Invalid.class::isInstance));
    }

    /**
     * Whether the node can reach a device, by what the device itself says where its slice leaves it to the devices.
     *
     * @throws AllocationException if its node selector cannot be understood
     */
    static boolean reaches(Slice slice, Device device, Node node) {
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
