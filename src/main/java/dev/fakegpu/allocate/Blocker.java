package dev.fakegpu.allocate;

import dev.fakegpu.dra.ClaimRef;
import java.util.List;

/**
 * Who is in the way of a device.
 *
 * @param claim the claim that holds the devices
 * @param request set where the claim is one of those to be allocated: which of its requests would take the devices
 * @param devices their names in the pool; empty where it is the device itself
 */
public record Blocker(ClaimRef claim, String request, List<String> devices) {

    public Blocker {
        devices = List.copyOf(devices);
    }

    /** Whether this is somebody else, who could give the devices back. */
    public boolean isOther() {
        return request.isEmpty();
    }
}
