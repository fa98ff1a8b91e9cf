package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.allocate.pool.SelectorMatchesCache;
import java.util.List;

/**
 * A validated request, or one alternative of it.
 *
 * @param id the number among all variants of the allocation
 * @param all the devices of a request for all devices, in the order of the search; empty for others
 * @param count the number of devices
 */
record RequestVariant(
        int id, RequestPath name, ExactRequest request, DeviceClass deviceClass, List<Place> all, long count) {

    /** Identifies a device by its pool and its position in the pool. */
    record Place(int pool, int device) {}

    /** Creates a variant for a request for all devices. */
    RequestVariant withAll(List<Place> places) {
        return new RequestVariant(id, name, request, deviceClass, List.copyOf(places), places.size());
    }

    int claimIndex() {
        return name.claimIndex();
    }

    ClaimRef claim() {
        return name.claim();
    }

    String resultName() {
        return name.result();
    }

    SelectorMatchesCache.Expressions expressions() {
        return new SelectorMatchesCache.Expressions(deviceClass.selectors(), request.selectors());
    }

    boolean isAll() {
        return request.isAll();
    }

    boolean isAdmin() {
        return request.hasAdminAccess();
    }

    /** See {@link RequestPath#isIn}. */
    boolean isNamedIn(List<String> requests) {
        return name.isIn(requests);
    }

    AllocationException failure(String what) {
        return new AllocationException(name + ": " + what);
    }
}
