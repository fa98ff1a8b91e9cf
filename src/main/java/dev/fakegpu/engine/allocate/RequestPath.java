package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.ClaimRef;
import java.util.List;

/**
 * Identifies a request of a claim, or one of its alternatives.
 *
 * @param claimIndex the index of the claim among those that are allocated together
 * @param request the name of the request
 * @param result the name in results: {@code request}, or {@code request/alternative}
 */
record RequestPath(int claimIndex, ClaimRef claim, String request, String result) {

    /** Whether a list of request names of the claim contains the request; an empty list means all requests. */
    boolean isIn(List<String> requests) {
        return requests.isEmpty() || requests.contains(request) || requests.contains(result);
    }

    @Override
    public String toString() {
        return "claim " + claim + ", request " + result;
    }
}
