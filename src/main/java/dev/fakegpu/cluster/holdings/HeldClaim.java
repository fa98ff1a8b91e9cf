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
 * @param devices the devices that it holds, without those of admin access
 * @param pods the names of the pods for which it is reserved, in its namespace
 * @param others the other consumers for which it is reserved
 * @param classes the names of the device classes that it requests
 * @param preparations what the driver reports about devices that it prepared or tried to prepare
 * @param notes facts that are not in its status, such as {@code used by no pod}
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

    /** @param message the message of the driver */
    public record Preparation(boolean succeeded, String message) {}

    public HeldClaim {
        devices = List.copyOf(devices);
        pods = List.copyOf(pods);
        others = List.copyOf(others);
        classes = List.copyOf(classes);
        preparations = Map.copyOf(preparations);
        notes = List.copyOf(notes);
    }

    /** Returns this claim without the classes that it requests. */
    public HeldClaim withoutClasses() {
        return new HeldClaim(ref, created, devices, pods, others, List.of(), preparations, notes);
    }
}
