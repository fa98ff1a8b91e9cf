package dev.fakegpu.engine.allocate;

import java.util.List;

/**
 * A validated request of a claim.
 *
 * @param variants the alternatives in order of preference, or the request itself
 */
record ResolvedRequest(int claimIndex, List<RequestVariant> variants, boolean hasAlternatives) {

    ResolvedRequest {
        variants = List.copyOf(variants);
    }

    /** The lowest number of devices of any variant. */
    long minCount() {
        long min = Long.MAX_VALUE;
        for (RequestVariant variant : variants) {
            min = Math.min(min, variant.count());
        }
        return min;
    }
}
