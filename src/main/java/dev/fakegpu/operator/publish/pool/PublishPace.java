package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.util.ParallelTasks;
import dev.fakegpu.util.Ticker;

/**
 * How fast FakeGpus are published.
 *
 * @param writers how many pools and nodes are written at the same time, of all FakeGpus together
 * @param memory when no more pools are published
 */
public record PublishPace(ParallelTasks writers, MemoryLimit memory, Ticker ticker) {

    /** As fast as it goes on the caller's thread. */
    public static PublishPace onCaller(Ticker ticker) {
        return new PublishPace(ParallelTasks.ON_CALLER, MemoryLimit.NONE, ticker);
    }

    PublishTurn begin() {
        return new PublishTurn(this);
    }
}
