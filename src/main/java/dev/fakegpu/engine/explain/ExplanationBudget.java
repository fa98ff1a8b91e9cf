package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.explain.finding.Phrases;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the work for an explanation. The limit counts examined devices and not time, so that the same claims always get the same
 * explanation. A search step may examine all devices of a node, so it counts as if it did.
 */
final class ExplanationBudget {

    /** The budget for finding out what keeps devices from being allocated, for all nodes together. */
    static final long FINDINGS = 1_000_000;

    /** The budget for trying remedies on one node. */
    static final long REMEDY = 500_000;

    private static final long DEVICES_PER_SEARCH = 200_000;

    private long left;

    /** @param devices the number of devices that may be examined; a device counts each time it is examined */
    ExplanationBudget(long devices) {
        left = devices;
    }

    /**
     * The limit of one search.
     *
     * @param devices the number of devices on the node
     * @param wanted the number of devices that the claims may get, which is the number of steps of a search without backtracking
     */
    SearchLimit search(int devices, long wanted) {
        long cost = devices + 1L;
        long steps = Math.max(wanted + 1, DEVICES_PER_SEARCH / cost);
        var step = new AtomicLong();
        return () -> {
            left -= cost;
            return left < 0 || step.incrementAndGet() > steps ? Phrases.tooManyCombinations() : null;
        };
    }

    /** Counts devices that are examined outside of a search. */
    void spend(long devices) {
        left -= devices;
    }

    /** The number of devices that may still be examined; negative if the limit was exceeded. */
    long left() {
        return left;
    }

    boolean isSpent() {
        return left < 0;
    }
}
