package dev.fakegpu.runtime;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Detects whether a thread has been in one step for {@link #LONGEST_STEP}. A decision reaches its own time limit long before that, so such
 * a thread hangs, and only a new process helps.
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
     * Must be called regularly, as by a probe.
     *
     * @param current differs from step to step; null while the thread is waiting for work
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
