package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a thread has been in one step for {@link #LONGEST_STEP}: a decision ends by its own time limit long before, so that
 * such a thread hangs, and only a new process can help.
 */
final class HangDetector {

    static final Duration LONGEST_STEP = Duration.ofSeconds(60);

    private final Ticker ticker;
    private @Nullable Long step;
    private Moment since = Moment.NEVER;

    HangDetector(Ticker ticker) {
        this.ticker = ticker;
    }

    /**
     * To be asked regularly, as a probe does.
     *
     * @param current differs from step to step; null while the thread waits for something to do
     */
    synchronized boolean hangs(@Nullable Long current) {
        var now = ticker.now();
        if (current == null || !current.equals(step)) {
            step = current;
            since = now;
        }
        return current != null && since.plus(LONGEST_STEP).isBefore(now);
    }
}
