package dev.fakegpu.engine.allocate.refusal;

import dev.fakegpu.dra.ClaimRef;
import java.util.List;

/**
 * A claim that keeps a device from being allocated.
 *
 * @param request if the claim is one of those to be allocated, which of its requests takes the devices; otherwise empty
 * @param devices names of the claim's devices in the pool; empty if the claim has the very device that is needed
 */
public record Blocker(ClaimRef claim, String request, List<String> devices) {

    public Blocker {
        devices = List.copyOf(devices);
    }

    /** Whether this is an allocated claim, which could be released. */
    public boolean isOther() {
        return request.isEmpty();
    }
}
