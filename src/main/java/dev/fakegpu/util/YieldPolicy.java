package dev.fakegpu.util;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Less urgent work for a namespace yields while urgent work for the same namespace is in progress in this process, but for at most five
 * seconds. It does not yield to work for others, so that no namespace slows down another one by keeping this process busy.
 */
public final class YieldPolicy {

    /** How soon yielding work checks again. */
    public static final Duration RECHECK_INTERVAL = Duration.ofMillis(200);

    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    private final Predicate<String> isUrgentWorkPending;
    private final Ticker ticker;

    /** @param isUrgentWorkPending for a namespace; thread-safe */
    public YieldPolicy(Predicate<String> isUrgentWorkPending, Ticker ticker) {
        this.isUrgentWorkPending = isUrgentWorkPending;
        this.ticker = ticker;
    }

    /** The deadline for work that becomes ready now. */
    public Moment deadline() {
        return ticker.now().plus(MAX_DELAY);
    }

    /** Whether work for a namespace with this deadline has to wait. */
    public boolean yieldsUntil(Moment deadline, String namespace) {
        return isUrgentWorkPending.test(namespace) && ticker.now().isBefore(deadline);
    }
}
