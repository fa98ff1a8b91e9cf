package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.DeviceTaint;
import java.util.List;
import java.util.Map;

/**
 * How many more copies of some claims fit.
 *
 * @param atOnce on all nodes together
 * @param inOrder so many a scheduler gets that allocates one copy after the other and takes the first devices that fit, which may leave less
 *     room than others would
 * @param nodes in the order in which they were given
 */
public record Room(Count atOnce, Count inOrder, List<OfNode> nodes) {

    public Room {
        nodes = List.copyOf(nodes);
    }

    /** The same if an error on one of the nodes keeps a scheduler from choosing any. */
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
     * One node. If nodes share devices, their numbers add up to more than there is.
     *
     * @param selected how many devices the claims' requests select
     * @param refused how many of them cannot be allocated at present, by the first obstacle
     * @param taints those that keep devices from being allocated
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
