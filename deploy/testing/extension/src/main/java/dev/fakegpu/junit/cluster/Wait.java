package dev.fakegpu.junit.cluster;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for processes and clusters. */
public final class Wait {

    private static final Duration INTERVAL = Duration.ofMillis(50);

    private final Duration limit;

    private Wait(Duration limit) {
        this.limit = limit;
    }

    public static Wait atMost(Duration limit) {
        return new Wait(limit);
    }

    /**
     * Returns when the condition holds, the limit is reached, or the thread is interrupted.
     *
     * @return whether the condition holds
     */
    public boolean until(BooleanSupplier condition) {
        long begin = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begin >= limit.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(INTERVAL.toNanos());
        }
        return true;
    }
}
