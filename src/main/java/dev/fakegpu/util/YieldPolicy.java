package dev.fakegpu.util;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Less urgent work yields while urgent work is in progress in this process, but for at most five seconds. */
public final class YieldPolicy {

    /** How soon yielding work checks again. */
    public static final Duration RECHECK_INTERVAL = Duration.ofMillis(200);

    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    private final BooleanSupplier isUrgentWorkPending;
    private final Clock clock;

    public YieldPolicy(BooleanSupplier isUrgentWorkPending, Clock clock) {
        this.isUrgentWorkPending = isUrgentWorkPending;
        this.clock = clock;
    }

    /** The deadline for work that becomes ready now. */
    public Instant deadline() {
        return clock.instant().plus(MAX_DELAY);
    }

    /** Whether work with this deadline has to wait. */
    public boolean yieldsUntil(Instant deadline) {
        return isUrgentWorkPending.getAsBoolean() && clock.instant().isBefore(deadline);
    }
}
