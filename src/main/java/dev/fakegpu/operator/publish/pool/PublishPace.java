package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.util.ParallelTasks;
import dev.fakegpu.util.Ticker;

/**
 * Limits how fast FakeGpus are published.
 *
 * @param writers limits how many pools and nodes are written at the same time, for all FakeGpus together
 * @param memory limits how many pools are published
 */
public record PublishPace(ParallelTasks writers, MemoryLimit memory, Ticker ticker) {

    /** Publishes as fast as possible on the caller's thread. */
    public static PublishPace onCaller(Ticker ticker) {
        return new PublishPace(ParallelTasks.ON_CALLER, MemoryLimit.NONE, ticker);
    }

    PublishTurn begin() {
        return new PublishTurn(this);
    }
}
