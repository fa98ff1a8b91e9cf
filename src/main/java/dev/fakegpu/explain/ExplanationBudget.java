package dev.fakegpu.explain;

import dev.fakegpu.allocate.SearchLimit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much an explanation may cost, in devices looked at, so that the same claims are always explained in the same way. A step of a
 * search may look at all devices of a node, so that is what it counts as.
 */
final class ExplanationBudget {

    /** For looking at what is in the way on all nodes. */
    static final long FINDINGS = 1_000_000;

    /** For trying ways out on one node. */
    static final long WAY_OUT = 500_000;

    private static final long DEVICES_PER_SEARCH = 200_000;

    private long left;

    /** @param devices how many may be looked at, one that is looked at again counting again */
    ExplanationBudget(long devices) {
        left = devices;
    }

    /**
     * The limit of one search.
     *
     * @param devices on the node
     * @param wanted how many of them the claims may get, which takes as many steps if the search never has to go back
     */
    SearchLimit search(int devices, long wanted) {
        long cost = devices + 1L;
        long steps = Math.max(wanted + 1, DEVICES_PER_SEARCH / cost);
        var step = new AtomicLong();
        return () -> {
            left -= cost;
            return left < 0 || step.incrementAndGet() > steps ? "too many combinations" : null;
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
