package dev.fakegpu.schedule;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import java.util.List;

/**
 * How good the chosen alternatives of prioritized lists are (KEP-4816): for each request with alternatives 8 for the first, 7 for the
 * second and so on. Upstream: {@code computeScore} in {@code dynamicresources.go}.
 */
final class PrioritizedListScore {
    private PrioritizedListScore() {}

    /** How many alternatives the API allows. */
    private static final int MOST = 8;

    /** The score that nothing can beat; 0 if there are no alternatives. */
    static int best(List<Claim> claims) {
        return MOST
                * (int) claims.stream()
                        .flatMap(claim -> claim.requests().stream())
                        .filter(PrioritizedListScore::hasAlternatives)
                        .count();
    }

    /** @param allocations of the claims, in their order */
    static int of(List<Claim> claims, List<Allocation> allocations) {
        int score = 0;
        for (int i = 0; i < claims.size(); i++) {
            for (DeviceRequest request : claims.get(i).requests()) {
                if (hasAlternatives(request)) {
                    score += MOST - chosen(request, allocations.get(i));
                }
            }
        }
        return score;
    }

    private static boolean hasAlternatives(DeviceRequest request) {
        return !request.firstAvailable().isEmpty();
    }

    /** Results say which alternative they are for; an alternative for no device at all leaves none and is the last choice. */
    private static int chosen(DeviceRequest request, Allocation allocation) {
        for (int i = 0; i < request.firstAvailable().size(); i++) {
            String name = request.name() + "/" + request.firstAvailable().get(i).name();
            if (allocation.results().stream()
                    .anyMatch(result -> result.request().equals(name))) {
                return i;
            }
        }
        return MOST;
    }
}
