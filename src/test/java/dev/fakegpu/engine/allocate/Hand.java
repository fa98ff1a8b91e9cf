package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device that is given to a request. {@link Rules} checks it, regardless of how it was chosen.
 *
 * @param name the name of the request, or {@code request/alternative}
 * @param share what is consumed of a shared device; null for a whole device
 */
record Hand(
        int claimIndex,
        Claim claim,
        String name,
        ExactRequest request,
        Slice slice,
        Device device,
        @Nullable Map<String, Quantity> share) {

    DeviceId id() {
        return slice.pool().device(device.name());
    }

    /** Whether a constraint's list of requests includes this one. */
    boolean isNamedIn(List<String> requests) {
        return requests.isEmpty() || requests.contains(name) || requests.contains(name.split("/", 2)[0]);
    }
}
