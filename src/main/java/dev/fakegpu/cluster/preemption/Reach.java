package dev.fakegpu.cluster.preemption;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.preemption.Victim;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the victims that are on a node or hold devices of a pool that it can access. Local victims are looked up by the name of the node,
 * because there are thousands of nodes and pods.
 */
final class Reach {

    private final AllocationContext context;
    private final List<Victim> victims;

    /** By node, the indexes of the victims. */
    private final Map<String, BitSet> byNode = new HashMap<>();

    /** The victims that hold devices that several nodes can access. */
    private final Map<NodeSelection, BitSet> bySelection = new LinkedHashMap<>();

    /** @param nodes the names of the nodes that a victim is on */
    Reach(AllocationContext context, List<Victim> victims, Function<Victim, Stream<String>> nodes) {
        this.context = context;
        this.victims = victims;
        Map<PoolId, Set<NodeSelection>> ofPools = new HashMap<>();
        for (int i = 0; i < victims.size(); i++) {
            int index = i;
            nodes.apply(victims.get(i)).forEach(node -> add(new NodeSelection.NodeName(node), index));
            pools(victims.get(i))
                    .flatMap(pool -> ofPools.computeIfAbsent(pool, this::nodes).stream())
                    .forEach(selection -> add(selection, index));
        }
    }

    private void add(NodeSelection selection, int victim) {
        BitSet those = selection instanceof NodeSelection.NodeName local
                ? byNode.computeIfAbsent(local.name(), ignored -> new BitSet())
                : bySelection.computeIfAbsent(selection, ignored -> new BitSet());
        those.set(victim);
    }

    private Stream<PoolId> pools(Victim victim) {
        return victim.pods().stream()
                .flatMap(pod -> pod.claims().stream())
                .flatMap(claim -> context.allocated().ofClaim(claim).stream())
                .map(AllocatedDevice::id)
                .map(device -> device.poolId())
                .distinct();
    }

    private Set<NodeSelection> nodes(PoolId pool) {
        return context.slices().slices(pool).stream().flatMap(Reach::nodes).collect(Collectors.toSet());
    }

    private static Stream<NodeSelection> nodes(Slice slice) {
        return Stream.concat(
                Stream.of(slice.nodes()),
                slice.devices().stream().map(Device::nodes).flatMap(Stream::ofNullable));
    }

    /** Returns victims in their original order. */
    List<Victim> of(NodeInfo node) {
        var those = new BitSet();
        those.or(byNode.getOrDefault(node.name(), new BitSet()));
        bySelection.forEach((selection, victimsThere) -> {
            if (selection.matches(node.name(), node.labels())) {
                those.or(victimsThere);
            }
        });
        return those.stream().mapToObj(victims::get).toList();
    }
}
