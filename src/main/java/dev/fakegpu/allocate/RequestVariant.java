package dev.fakegpu.allocate;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import java.util.List;

/**
 * One request, or one alternative of a request, that passed the checks.
 *
 * @param id counted over all asks of the attempt
 * @param resultName the request's name, or {@code request/alternative}
 * @param all the devices of a request for all of them, in the order of trial; empty for others
 * @param count how many devices
 */
record RequestVariant(
        int id,
        int claimIndex,
        ClaimRef claim,
        DeviceRequest parent,
        ExactRequest request,
        String resultName,
        DeviceClass deviceClass,
        SelectorMatchesCache.Question question,
        List<Place> all,
        long count) {

    /** A device by its pool and its place in it. */
    record Place(int pool, int device) {}

    boolean isAll() {
        return request.isAll();
    }

    boolean isAdmin() {
        return request.hasAdminAccess();
    }

    /** Whether a list of request names of the claim means this one; an empty list means all. */
    boolean isNamedIn(List<String> requests) {
        return requests.isEmpty() || requests.contains(parent.name()) || requests.contains(resultName);
    }

    AllocationException failure(String what) {
        return new AllocationException("claim " + claim + ", request " + resultName + ": " + what);
    }
}
