package dev.fakegpu.holdings;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimRef;
import java.time.Instant;
import java.util.List;

/**
 * A claim with devices.
 *
 * @param devices that it holds, without those of admin access
 * @param pods names of the pods for which it is reserved, in its namespace
 * @param notes what its status does not say, such as {@code used by no pod}
 */
public record HeldClaim(
        ClaimRef ref, Instant created, List<AllocatedDevice> devices, List<String> pods, List<String> notes) {

    public HeldClaim {
        devices = List.copyOf(devices);
        pods = List.copyOf(pods);
        notes = List.copyOf(notes);
    }
}
