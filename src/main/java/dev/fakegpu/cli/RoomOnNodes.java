package dev.fakegpu.cli;

import dev.fakegpu.cluster.fit.DeviceFootprint;
import dev.fakegpu.cluster.fit.NodeUsage;
import dev.fakegpu.cluster.fit.PodFit;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.engine.allocate.Allocator;
import dev.fakegpu.engine.allocate.Outcome;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.headroom.Count;
import dev.fakegpu.engine.headroom.Room;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.ResourceClaim;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many copies of claims fit if devices also take resources of nodes (KEP-5517). Each copy is counted as if a pod used it, and all
 * copies are like the first one.
 *
 * @param limits why some nodes have no room for more copies, by node
 */
record RoomOnNodes(Room room, Map<String, String> limits) {

    private static final long MAX_STEPS = 50_000;

    /** Larger numbers are of no use, and claims that take nothing would never reach a limit. */
    private static final long MAX_COPIES = 10_000;

    /** @param byDevices the room without regard to what devices take of nodes */
    static RoomOnNodes of(Room byDevices, ClusterSnapshot snapshot, Allocator allocator, List<Claim> claims) {
        if (!snapshot.takesOfNodes()) {
            return new RoomOnNodes(byDevices, Map.of());
        }
        Map<String, SchedulableNode> nodes =
                snapshot.nodes().stream().collect(Collectors.toMap(SchedulableNode::name, node -> node));
        var limits = new TreeMap<String, String>();
        NodeUsage usage = snapshot.usage(); // the copies on one node do not affect other nodes
        List<Room.OfNode> limited = byDevices.nodes().stream()
                .map(room -> {
                    SchedulableNode node = nodes.get(room.node());
                    return node == null || room.selected() == 0 || room.atOnce().atMost() == 0
                            ? room
                            : on(node, room, snapshot, usage, allocator, claims, limits);
                })
                .toList();
        return limits.isEmpty()
                ? new RoomOnNodes(byDevices, limits)
                : new RoomOnNodes(
                        new Room(
                                total(byDevices.atOnce(), byDevices, limited),
                                total(byDevices.inOrder(), byDevices, limited),
                                limited),
                        limits);
    }

    private static Room.OfNode on(
            SchedulableNode node,
            Room.OfNode room,
            ClusterSnapshot snapshot,
            NodeUsage usage,
            Allocator allocator,
            List<Claim> claims,
            Map<String, String> limits) {
        Outcome outcome = allocator.allocate(node.devices(), claims, SearchLimit.steps(MAX_STEPS));
        if (!(outcome instanceof Outcome.Allocated first)) {
            return room;
        }
        Pod pod = user(claims);
        var resources =
                new PodFit(pod, List.of(), usage, snapshot.extendedResources(), snapshot.devices(), null).withDevices();
        DeviceFootprint footprint = resources.on(node, claims, first.allocations());
        long wanted = Math.min(room.atOnce().atMost(), MAX_COPIES);
        List<String> problems = resources.problems(node, footprint);
        long copies = 0;
        while (copies < wanted && problems.isEmpty() && !footprint.uses().isEmpty()) {
            usage.assume(copy(NodeAllocatableUses.in(pod, footprint.uses()), ++copies), node.name());
            problems = resources.problems(node, footprint);
        }
        if (copies == wanted || problems.isEmpty()) {
            return room;
        }
        limits.put(node.name(), problems.get(0));
        return new Room.OfNode(
                room.node(),
                atMost(room.atOnce(), copies),
                atMost(room.inOrder(), copies),
                room.selected(),
                room.refused(),
                room.taints());
    }

    private static Count atMost(Count count, long copies) {
        return new Count(Math.min(count.atLeast(), copies), Math.min(count.atMost(), copies));
    }

    /** If nodes share devices, the only known bound is the room on the node with the most. */
    private static Count total(Count before, Room byDevices, List<Room.OfNode> limited) {
        Count all = sum(limited);
        boolean isShared = !sum(byDevices.nodes()).equals(byDevices.atOnce());
        long onOne = limited.stream()
                .mapToLong(node -> node.atOnce().atLeast())
                .max()
                .orElse(0);
        return new Count(
                Math.min(before.atLeast(), isShared ? onOne : all.atLeast()), Math.min(before.atMost(), all.atMost()));
    }

    private static Count sum(List<Room.OfNode> nodes) {
        return nodes.stream().map(Room.OfNode::atOnce).reduce(Count.NONE, Count::plus);
    }

    private static Pod copy(Pod pod, long number) {
        return new PodBuilder(pod)
                .editMetadata()
                .withUid("copy-" + number)
                .endMetadata()
                .build();
    }

    /** A pod with a single container that uses all claims. */
    private static Pod user(List<Claim> claims) {
        List<String> names = claims.stream().map(claim -> claim.ref().name()).toList();
        return copy(
                new PodBuilder()
                        .withNewMetadata()
                        .withNamespace(claims.get(0).ref().namespace())
                        .withName("copy")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withNewResources()
                        .addAllToClaims(names.stream()
                                .map(name -> new ResourceClaim(name, null))
                                .toList())
                        .endResources()
                        .endContainer()
                        .addAllToResourceClaims(names.stream()
                                .map(name -> new PodResourceClaim(name, name, null))
                                .toList())
                        .endSpec()
                        .build(),
                0);
    }
}
