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
 * A device in the hands of a request: what {@link Rules} judge, no matter who chose it.
 *
 * @param name of the request, or {@code request/alternative}
 * @param share what is consumed of a device that is shared, null for a whole one
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

    /** Whether a list of requests of a constraint means this one. */
    boolean isNamedIn(List<String> requests) {
        return requests.isEmpty() || requests.contains(name) || requests.contains(name.split("/", 2)[0]);
    }
}
