package dev.fakegpu.util;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Less urgent work yields while something urgent is under way in this process, but for five seconds at most. */
public final class YieldPolicy {

    /** How soon work that yields asks again. */
    public static final Duration RECHECK_INTERVAL = Duration.ofMillis(200);

    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    private final BooleanSupplier isUrgentWorkPending;
    private final Clock clock;

    public YieldPolicy(BooleanSupplier isUrgentWorkPending, Clock clock) {
        this.isUrgentWorkPending = isUrgentWorkPending;
        this.clock = clock;
    }

    /** Until when work that becomes ready now may be delayed. */
    public Instant deadline() {
        return clock.instant().plus(MAX_DELAY);
    }

    /** Whether work with this deadline has to wait now. */
    public boolean yieldsUntil(Instant deadline) {
        return isUrgentWorkPending.getAsBoolean() && clock.instant().isBefore(deadline);
    }
}
