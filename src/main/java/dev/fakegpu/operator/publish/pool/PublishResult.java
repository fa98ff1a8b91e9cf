package dev.fakegpu.operator.publish.pool;

/**
 * The result of publishing a FakeGpu: its simulated nodes, the placement of its compatibility groups, its pools, and the kubelet plugins
 * that determined which pools already have devices.
 */
public record PublishResult(
        SimulatedNodes.Result nodes, GroupPublishing groups, PoolsResult pools, KubeletPlugins plugins) {

    /** The number of nodes and pools that are left for another turn. */
    public int remaining() {
        return nodes.remaining() + pools.remaining();
    }
}
