package dev.fakegpu.operator.publish;

/** The outcome of publishing a FakeGpu: its simulated nodes, where its compatibility groups are, and its pools. */
record PublishResult(SimulatedNodes.Result nodes, GroupPublishing groups, PoolsResult pools) {

    /** How many nodes and pools are left for another turn. */
    int remaining() {
        return nodes.remaining() + pools.remaining();
    }
}
