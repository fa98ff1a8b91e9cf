package dev.fakegpu.util;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Makes less urgent work for a namespace wait while this process does urgent work for the same namespace, but at most five seconds. It does
 * not wait for the work of other namespaces, so that no namespace can slow down another by keeping this process busy.
 */
public final class YieldPolicy {

    /** How often waiting work checks again. */
    public static final Duration RECHECK_INTERVAL = Duration.ofMillis(200);

    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    private final Predicate<String> isUrgentWorkPending;
    private final Ticker ticker;

    /** @param isUrgentWorkPending takes a namespace; thread-safe */
    public YieldPolicy(Predicate<String> isUrgentWorkPending, Ticker ticker) {
        this.isUrgentWorkPending = isUrgentWorkPending;
        this.ticker = ticker;
    }

    /** The latest time until which work that becomes ready now waits. */
    public Moment deadline() {
        return ticker.now().plus(MAX_DELAY);
    }

    /** Whether work for a namespace with this deadline has to wait. */
    public boolean yieldsUntil(Moment deadline, String namespace) {
        return isUrgentWorkPending.test(namespace) && ticker.now().isBefore(deadline);
    }
}
