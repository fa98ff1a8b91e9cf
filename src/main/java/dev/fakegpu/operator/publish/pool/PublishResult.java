package dev.fakegpu.operator.publish.pool;

/** The outcome of publishing a FakeGpu: its simulated nodes, where its compatibility groups are, and its pools. */
public record PublishResult(SimulatedNodes.Result nodes, GroupPublishing groups, PoolsResult pools) {

    /** How many nodes and pools are left for another turn. */
    public int remaining() {
        return nodes.remaining() + pools.remaining();
    }
}
