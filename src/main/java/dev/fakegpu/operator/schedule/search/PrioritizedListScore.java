package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import java.util.List;

/**
 * Scores the chosen alternatives of prioritized lists (KEP-4816): 8 points for the first alternative of a request, 7 for the second,
 * and so on. Upstream: {@code computeScore} in {@code dynamicresources.go}.
 */
final class PrioritizedListScore {
    private PrioritizedListScore() {}

    /** The maximum number of alternatives in the API. */
    private static final int MAX_ALTERNATIVES = 8;

    /** The highest possible score; 0 if there are no alternatives. */
    static int best(List<Claim> claims) {
        return MAX_ALTERNATIVES
                * (int) claims.stream()
                        .flatMap(claim -> claim.requests().stream())
                        .filter(PrioritizedListScore::hasAlternatives)
                        .count();
    }

    /** @param allocations those of the claims, in the same order */
    static int of(List<Claim> claims, List<Allocation> allocations) {
        int score = 0;
        for (int i = 0; i < claims.size(); i++) {
            for (DeviceRequest request : claims.get(i).requests()) {
                if (hasAlternatives(request)) {
                    score += MAX_ALTERNATIVES - chosen(request, allocations.get(i));
                }
            }
        }
        return score;
    }

    private static boolean hasAlternatives(DeviceRequest request) {
        return !request.firstAvailable().isEmpty();
    }

    /**
     * The position of the chosen alternative, taken from the results. An alternative with zero devices has no results and counts as the
     * last one.
     */
    private static int chosen(DeviceRequest request, Allocation allocation) {
        for (int i = 0; i < request.firstAvailable().size(); i++) {
            String name = request.name() + "/" + request.firstAvailable().get(i).name();
            if (allocation.results().stream()
                    .anyMatch(result -> result.request().equals(name))) {
                return i;
            }
        }
        return MAX_ALTERNATIVES;
    }
}
