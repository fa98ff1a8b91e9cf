package dev.fakegpu.watch;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Something in this process comes before other work, which can wait for it a while: {@link #LONGEST} at most. */
public final class DecisionPriority {

    /** How soon work that waits looks again. */
    public static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);

    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final BooleanSupplier isUrgent;
    private final Clock clock;

    public DecisionPriority(BooleanSupplier isUrgent, Clock clock) {
        this.isUrgent = isUrgent;
        this.clock = clock;
    }

    /** The latest moment at which work that could be done now is done. */
    public Instant latest() {
        return clock.instant().plus(LONGEST);
    }

    /** Whether work waits now that can wait until {@code latest}. */
    public boolean delays(Instant latest) {
        return isUrgent.getAsBoolean() && clock.instant().isBefore(latest);
    }
}
