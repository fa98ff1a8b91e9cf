package dev.fakegpu.engine.headroom;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts how many more copies of some claims fit at once, whichever devices each copy gets. The answer is exact if a search through all
 * combinations ends in time; otherwise it has bounds.
 */
public final class Headroom {

    private final AllocationContext context;

    public Headroom(AllocationContext context) {
        this.context = context;
    }

    /**
     * Counts the copies.
     *
     * @param nodes the nodes to consider
     * @param claims the claims to copy: those of one pod, which must be allocated on one node
     */
    public Room of(List<NodeInfo> nodes, List<Claim> claims) {
        List<SelectableDevices> candidates = nodes.stream()
                .map(node -> SelectableDevices.of(context, node, claims))
                .toList();
        var copies = new Copies(context, claims);
        List<Room.OfNode> rooms =
                candidates.stream().map(node -> room(node, claims, copies)).toList();
        if (!sharePools(candidates)) {
            return new Room(
                    rooms.stream().map(Room.OfNode::atOnce).reduce(Count.NONE, Count::plus),
                    rooms.stream().map(Room.OfNode::inOrder).reduce(Count.NONE, Count::plus),
                    rooms);
        }
        boolean isUnlimited = rooms.stream().anyMatch(room -> room.inOrder().atLeast() == Count.UNLIMITED);
        Count inOrder = isUnlimited ? Count.exactly(Count.UNLIMITED) : copies.inOrder(nodes);
        return new Room(onAll(candidates, rooms, claims, inOrder), inOrder, rooms);
    }

    private Room.OfNode room(SelectableDevices node, List<Claim> claims, Copies copies) {
        Count packed = node.anyFree() ? node.packed(context) : Count.NONE;
        Count inOrder = inOrder(node, claims, copies, packed);
        return new Room.OfNode(
                node.node().name(),
                node.anyFree() ? atOnce(node, claims, copies, new Found(packed, inOrder)) : Count.NONE,
                inOrder,
                node.selected(),
                node.refused(),
                node.taints());
    }

    /**
     * What is known without searching all combinations.
     *
     * @param packed the number that counters, groups and capacity allow
     */
    private record Found(Count packed, Count inOrder) {}

    /** A device with room for any number of claims is found, whatever was allocated before. */
    private static Count inOrder(SelectableDevices node, List<Claim> claims, Copies copies, Count packed) {
        boolean isKnown = packed.atMost() == 0
                || SelectableDevices.isForOneDevice(claims) && packed.atLeast() == Count.UNLIMITED && !node.mayFail();
        return isKnown ? packed : copies.inOrder(List.of(node.node()));
    }

    private static Count atOnce(SelectableDevices node, List<Claim> claims, Copies copies, Found found) {
        long atMost = found.packed().atMost();
        if (node.mayFail()) {
            return new Count(found.inOrder().atLeast(), Math.max(found.inOrder().atLeast(), atMost));
        }
        if (SelectableDevices.isOfOneRequest(claims) && node.areInterchangeable(claims)) {
            return found.packed();
        }
        var known = new Count(found.inOrder().atLeast(), atMost);
        return known.isExact() ? known : copies.together(node.node(), known);
    }

    /** Whether any devices for the claims on one node are also devices for them on another node, or share counters with such devices. */
    private static boolean sharePools(List<SelectableDevices> nodes) {
        Set<PoolId> pools = new HashSet<>();
        return nodes.stream().flatMap(node -> node.pools().stream()).anyMatch(pool -> !pools.add(pool));
    }

    /** The number on all nodes together. A claim for one device can get any device that any of the nodes can access. */
    private Count onAll(List<SelectableDevices> nodes, List<Room.OfNode> rooms, List<Claim> claims, Count inOrder) {
        Count packed = SelectableDevices.packed(nodes, context);
        boolean anyFails = nodes.stream().anyMatch(SelectableDevices::mayFail);
        if (SelectableDevices.isForOneDevice(claims) && !anyFails) {
            return packed;
        }
        Count sum = rooms.stream().map(Room.OfNode::atOnce).reduce(Count.NONE, Count::plus);
        long onOne =
                rooms.stream().mapToLong(room -> room.atOnce().atLeast()).max().orElse(0);
        long atLeast = Math.max(onOne, inOrder.atLeast());
        long possible = Math.min(Math.min(sum.atMost(), packed.atMost()), onEqualNodes(nodes, rooms));
        var known = new Count(atLeast, Math.max(atLeast, possible));
        return known.isExact() || anyFails
                ? known
                : JoinedNodes.of(context, nodes, claims)
                        .map(joined -> joined.together(known))
                        .orElse(known);
    }

    /** If all nodes can access the same devices, additional nodes do not help. */
    private static long onEqualNodes(List<SelectableDevices> nodes, List<Room.OfNode> rooms) {
        boolean areEqual = nodes.stream()
                .skip(1)
                .allMatch(node -> node.devices().equals(nodes.get(0).devices()));
        return areEqual
                ? rooms.stream().mapToLong(room -> room.atOnce().atMost()).min().orElse(0)
                : Count.UNLIMITED;
    }
}
