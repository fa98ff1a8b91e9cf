package dev.fakegpu.cluster.preemption;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.preemption.Victim;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which nodes can access devices of a pool that pods hold. Not thread-safe. */
final class Reach {

    private final AllocationContext context;
    private final Map<PoolId, Set<NodeSelection>> nodesOfPools = new HashMap<>();

    Reach(AllocationContext context) {
        this.context = context;
    }

    /** Whether a node can access devices of a pool of which one of the pods holds some. */
    boolean of(NodeInfo node, Victim victim) {
        return victim.pods().stream()
                .flatMap(pod -> pod.claims().stream())
                .flatMap(claim -> context.allocated().ofClaim(claim).stream())
                .map(AllocatedDevice::id)
                .map(device -> nodesOfPools.computeIfAbsent(device.poolId(), this::nodes))
                .anyMatch(nodes -> nodes.stream().anyMatch(each -> each.matches(node.name(), node.labels())));
    }

    private Set<NodeSelection> nodes(PoolId pool) {
        return context.slices().slices(pool).stream().flatMap(Reach::nodes).collect(Collectors.toSet());
    }

    private static Stream<NodeSelection> nodes(Slice slice) {
        return Stream.concat(
                Stream.of(slice.nodes()),
                slice.devices().stream().map(Device::nodes).flatMap(Stream::ofNullable));
    }
}
