package dev.fakegpu.operator.publish;

import dev.fakegpu.util.ParallelTasks;
import java.time.Clock;

/**
 * How fast FakeGpus are published.
 *
 * @param writers how many pools and nodes are written at the same time, of all FakeGpus together
 * @param memory when no more pools are published
 */
public record PublishPace(ParallelTasks writers, MemoryLimit memory, Clock clock) {

    /** As fast as it goes on the caller's thread. */
    public static PublishPace onCaller(Clock clock) {
        return new PublishPace(ParallelTasks.ON_CALLER, MemoryLimit.NONE, clock);
    }

    PublishTurn begin() {
        return new PublishTurn(this);
    }
}
