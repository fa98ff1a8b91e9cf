package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.ClaimRef;
import java.util.List;

/**
 * Names one request of a claim, or one of its alternatives.
 *
 * @param claimIndex of the claim among those that are allocated together
 * @param request name of the request
 * @param result name in results: {@code request}, or {@code request/alternative}
 */
record RequestPath(int claimIndex, ClaimRef claim, String request, String result) {

    /** Whether it is in a list of request names of the claim; an empty list means all. */
    boolean isIn(List<String> requests) {
        return requests.isEmpty() || requests.contains(request) || requests.contains(result);
    }

    @Override
    public String toString() {
        return "claim " + claim + ", request " + result;
    }
}
