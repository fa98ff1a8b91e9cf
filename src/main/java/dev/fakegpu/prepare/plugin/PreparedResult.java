package dev.fakegpu.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.prepare.ContainerDevice;
import dev.fakegpu.prepare.PreparedDevice;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One device of a prepared claim.
 *
 * @param requests names of the claim's requests that it is for, without those of alternatives
 * @param shareId which part of the device, null where it is the whole one
 * @param consumed what it takes of the device's capacities, where it shares the device (KEP-5075); empty where it has it whole
 * @param configuredFor the groups by counter set that the hardware was configured for; null for admin access, which configures nothing
 * @param given the device that containers get and the kubelet is told of: the same, unless a fault made it another one
 */
record PreparedResult(
        DeviceId id,
        List<String> requests,
        @Nullable String shareId,
        Map<String, Quantity> consumed,
        @Nullable CompatibilityGroups configuredFor,
        DeviceId given) {

    /** With the device that was allocated. */
    PreparedResult(
            DeviceId id,
            List<String> requests,
            @Nullable String shareId,
            Map<String, Quantity> consumed,
            @Nullable CompatibilityGroups configuredFor) {
        this(id, requests, shareId, consumed, configuredFor, id);
    }

    PreparedResult {
        requests = List.copyOf(requests);
        consumed = Map.copyOf(consumed);
    }

    /** With another device for containers. */
    PreparedResult giving(DeviceId other) {
        return new PreparedResult(id, requests, shareId, consumed, configuredFor, other);
    }

    /** What this keeps from other claims. */
    Optional<PreparedDevice> held(ClaimRef claim) {
        return Optional.ofNullable(configuredFor).map(groups -> new PreparedDevice(id, claim, groups, consumed));
    }

    /** Unique in the claim, and valid as part of a file name and of a CDI device name. */
    String label() {
        return container().label();
    }

    ContainerDevice container() {
        return new ContainerDevice(given, shareId);
    }

    boolean isSameAllocation(PreparedResult other) {
        return id.equals(other.id) && requests.equals(other.requests) && Objects.equals(shareId, other.shareId);
    }
}
