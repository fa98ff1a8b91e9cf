package dev.fakegpu.slices;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.PoolSpec;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.inventory.PartitionTypes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pool that slices are made for, and what they all say beside their content.
 *
 * @param fakeGpuName goes into the names of the slices
 * @param nodes from where devices are reached that do not say so themselves
 * @param partitionTypeAttribute with its domain; null for none
 * @param skipNodeOperations the kubelet's calls that the devices need none of
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

    /** A pool whose slices say nothing more than where the devices are. */
    public PoolTarget(PoolId pool, String fakeGpuName, NodeSelection nodes) {
        this(pool, fakeGpuName, nodes, null, List.of());
    }

    /**
     * Where a FakeGpu's devices are published: on a node in the pool that {@code spec.pool.name} says, {@code <node>/<FakeGpu>} by
     * default; in {@code <FakeGpu>} where they are on none.
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

    /** The same for another pool, or from elsewhere. */
    public PoolTarget with(PoolId newPool, NodeSelection newNodes) {
        return new PoolTarget(newPool, fakeGpuName, newNodes, partitionTypeAttribute, skipNodeOperations);
    }

    /** The node that the devices are on; empty where they are on none. */
    public String nodeName() {
        return nodes instanceof NodeSelection.NodeName node ? node.name() : "";
    }
}
