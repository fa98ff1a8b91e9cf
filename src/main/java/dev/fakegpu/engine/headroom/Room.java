package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.DeviceTaint;
import java.util.List;
import java.util.Map;

/**
 * How many more copies of some claims fit.
 *
 * @param atOnce the number on all nodes together
 * @param inOrder the number for a scheduler that allocates one copy after the other and takes the first devices that fit, which may leave
 *     less room than other devices would
 * @param nodes the nodes in the given order
 */
public record Room(Count atOnce, Count inOrder, List<OfNode> nodes) {

    public Room {
        nodes = List.copyOf(nodes);
    }

    /** The result if an error on one of the nodes keeps a scheduler from choosing any node. */
    public Room withError() {
        return new Room(
                Count.NONE,
                Count.NONE,
                nodes.stream()
                        .map(node -> new OfNode(
                                node.node(), Count.NONE, Count.NONE, node.selected(), node.refused(), node.taints()))
                        .toList());
    }

    /**
     * One node. If nodes share devices, the sum of their numbers is more than the total.
     *
     * @param selected the number of devices that the claims' requests select
     * @param refused the number of these that cannot be allocated at the moment, by the first obstacle
     * @param taints the taints that keep devices from being allocated
     */
    public record OfNode(
            String node,
            Count atOnce,
            Count inOrder,
            int selected,
            Map<Obstacle, Integer> refused,
            List<DeviceTaint> taints) {

        public OfNode {
            refused = Map.copyOf(refused);
            taints = List.copyOf(taints);
        }
    }
}
