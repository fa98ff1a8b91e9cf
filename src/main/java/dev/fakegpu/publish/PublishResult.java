package dev.fakegpu.publish;

/** What publishing a FakeGpu came to: its simulated nodes, where its compatibility groups are, and its pools. */
record PublishResult(SimulatedNodes.Result nodes, GroupPublishing groups, PoolsResult pools) {}
