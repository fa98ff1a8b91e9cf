package dev.fakegpu.allocate;

import java.util.List;

/**
 * A request of a claim.
 *
 * @param asks its alternatives, or the only thing that it asks for
 */
record ResolvedRequest(int claimIndex, List<RequestVariant> asks, boolean hasAlternatives) {

    ResolvedRequest {
        asks = List.copyOf(asks);
    }

    /** The fewest devices with which it can be served. */
    long minCount() {
        long min = Long.MAX_VALUE;
        for (RequestVariant ask : asks) {
            min = Math.min(min, ask.count());
        }
        return min;
    }
}
