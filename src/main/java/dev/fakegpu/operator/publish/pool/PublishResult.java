package dev.fakegpu.operator.publish.pool;

/**
 * The outcome of publishing a FakeGpu: its simulated nodes, where its compatibility groups are, its pools, and the kubelet plugins by which it
 * was decided which pools have devices already.
 */
public record PublishResult(
        SimulatedNodes.Result nodes, GroupPublishing groups, PoolsResult pools, KubeletPlugins plugins) {

    /** How many nodes and pools are left for another turn. */
    public int remaining() {
        return nodes.remaining() + pools.remaining();
    }
}
