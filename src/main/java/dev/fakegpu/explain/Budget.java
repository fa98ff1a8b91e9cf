package dev.fakegpu.explain;

import dev.fakegpu.allocate.Limit;

/**
 * How much an explanation may cost, in devices looked at, so that the same claims are always explained in the same way. A step of a
 * search may look at all devices of a node, so that is what it counts as.
 */
final class Budget {

    /** For looking at what is in the way on all nodes. */
    static final long FINDINGS = 3_000_000;

    /** For trying ways out on one node. */
    static final long WAY_OUT = 2_000_000;

    private static final long DEVICES_PER_SEARCH = 250_000;

    /** Enough for a search that never has to go back. */
    private static final long MIN_STEPS = 100;

    private long left;

    /** @param devices how many may be looked at, one that is looked at again counting again */
    Budget(long devices) {
        left = devices;
    }

    /** The limit of one search. */
    Limit search(int devices) {
        long cost = devices + 1L;
        long[] steps = {Math.max(MIN_STEPS, DEVICES_PER_SEARCH / cost)};
        return () -> {
            left -= cost;
            return left < 0 || steps[0]-- <= 0 ? "too many combinations" : null;
        };
    }

    /** Counts devices that were looked at one by one. */
    void spend(long devices) {
        left -= devices;
    }

    boolean isSpent() {
        return left < 0;
    }
}
