package dev.fakegpu.runtime;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a thread has been in one step for {@link #LONGEST_STEP}: a decision ends by its own time limit long before, so that
 * such a thread hangs, and only a new process can help.
 */
final class HangDetector {

    static final Duration LONGEST_STEP = Duration.ofSeconds(60);

    private final Clock clock;
    private @Nullable Long step;
    private Instant since = Instant.MIN;

    HangDetector(Clock clock) {
        this.clock = clock;
    }

    /**
     * To be asked regularly, as a probe does.
     *
     * @param current differs from step to step; null while the thread waits for something to do
     */
    synchronized boolean hangs(@Nullable Long current) {
        var now = clock.instant();
        if (current == null || !current.equals(step)) {
            step = current;
            since = now;
        }
        return current != null && since.plus(LONGEST_STEP).isBefore(now);
    }
}
