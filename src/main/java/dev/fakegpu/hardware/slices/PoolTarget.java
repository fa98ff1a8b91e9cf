package dev.fakegpu.hardware.slices;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PoolSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.hardware.inventory.PartitionTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool to publish, and the fields that all its slices have in common.
 *
 * @param fakeGpuName the name of the FakeGpu, which is part of the slices' names
 * @param nodes the nodes that can use the devices, unless a device has its own selection
 * @param partitionTypeAttribute the attribute's name with its domain; null if not set
 * @param skipNodeOperations the calls that the kubelet can skip for the devices
 */
public record PoolTarget(
        PoolId pool,
        String fakeGpuName,
        NodeSelection nodes,
        @Nullable String partitionTypeAttribute,
        List<String> skipNodeOperations) {

    public PoolTarget {
        skipNodeOperations = List.copyOf(skipNodeOperations);
    }

    /** A pool without the optional fields. */
    public PoolTarget(PoolId pool, String fakeGpuName, NodeSelection nodes) {
        this(pool, fakeGpuName, nodes, null, List.of());
    }

    /**
     * The pool of a FakeGpu on a node, named by {@code spec.pool.name} ({@code <node>/<FakeGpu>} by default), or its pool of
     * network-attached devices, named {@code <FakeGpu>}.
     */
    public static PoolTarget of(FakeGpuSpec spec, String fakeGpuName, NodeSelection nodes) {
        String poolName = nodes instanceof NodeSelection.NodeName node
                ? spec.poolNameTemplate().replace(PoolSpec.FAKEGPU, fakeGpuName).replace(PoolSpec.NODE, node.name())
                : fakeGpuName;
        String partitionType = spec.partitionTypeAttribute();
        return new PoolTarget(
                new PoolId(spec.driver(), poolName),
                fakeGpuName,
                nodes,
                partitionType == null ? null : PartitionTypes.qualified(partitionType, spec.driver()),
                spec.skipNodeOperations());
    }

    /** A copy for another pool and other nodes. */
    public PoolTarget with(PoolId newPool, NodeSelection newNodes) {
        return new PoolTarget(newPool, fakeGpuName, newNodes, partitionTypeAttribute, skipNodeOperations);
    }

    /** The node of the devices; empty for network-attached devices. */
    public String nodeName() {
        return nodes instanceof NodeSelection.NodeName node ? node.name() : "";
    }
}
