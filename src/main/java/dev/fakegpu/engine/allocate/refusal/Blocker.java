package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.dra.ClaimRef;
import java.util.List;

/**
 * A claim that keeps a device from being allocated.
 *
 * @param request the request that takes the devices, if the claim is one of those to be allocated; otherwise empty
 * @param devices the names of the claim's devices in the pool; empty if the claim holds the needed device itself
 */
public record Blocker(ClaimRef claim, String request, List<String> devices) {

    public Blocker {
        devices = List.copyOf(devices);
    }

    /** Whether the claim is allocated, so that it could be released. */
    public boolean isOther() {
        return request.isEmpty();
    }
}
