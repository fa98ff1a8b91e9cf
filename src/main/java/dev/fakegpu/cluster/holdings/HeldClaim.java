package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A claim with devices.
 *
 * @param devices that it holds, without those of admin access
 * @param pods names of the pods for which it is reserved, in its namespace
 * @param others what it is reserved for besides pods
 * @param classes names of the device classes that it asks for
 * @param preparations what the driver reports about devices that it has prepared, or has tried to
 * @param notes what its status does not say, such as {@code used by no pod}
 */
public record HeldClaim(
        ClaimRef ref,
        Instant created,
        List<AllocatedDevice> devices,
        List<String> pods,
        List<ClaimConsumer> others,
        List<String> classes,
        Map<DeviceId, Preparation> preparations,
        List<String> notes) {

    /** @param message of the driver */
    public record Preparation(boolean succeeded, String message) {}

    public HeldClaim {
        devices = List.copyOf(devices);
        pods = List.copyOf(pods);
        others = List.copyOf(others);
        classes = List.copyOf(classes);
        preparations = Map.copyOf(preparations);
        notes = List.copyOf(notes);
    }

    /** The same without saying what it asks for. */
    public HeldClaim withoutClasses() {
        return new HeldClaim(ref, created, devices, pods, others, List.of(), preparations, notes);
    }
}
