package dev.fakegpu.engine.allocate;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Implements {@link SearchLimit#of}. Reading the clock takes longer than most steps, so it is read only once in several steps. */
final class TimeLimit implements SearchLimit {

    private static final int STEPS_PER_LOOK = 16;

    private final Duration duration;
    private final LongSupplier nanoTime;
    private final long end;
    private int steps;

    TimeLimit(Duration duration, LongSupplier nanoTime) {
        this.duration = duration;
        this.nanoTime = nanoTime;
        end = nanoTime.getAsLong() + duration.toNanos();
    }

    @Override
    public @Nullable String reached() {
        return steps++ % STEPS_PER_LOOK == 0 ? interrupted() : null;
    }

    @Override
    public @Nullable String interrupted() {
        return nanoTime.getAsLong() - end >= 0 ? "timed out after " + duration : null;
    }
}
