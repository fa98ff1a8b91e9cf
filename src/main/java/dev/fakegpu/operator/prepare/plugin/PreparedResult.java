package dev.fakegpu.operator.prepare.plugin;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.operator.prepare.ContainerDevice;
import dev.fakegpu.operator.prepare.DeviceSetup;
import dev.fakegpu.operator.prepare.PreparedDevice;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One device of a prepared claim.
 *
 * @param requests names of the claim's requests that the device serves, without subrequests
 * @param consumed the capacity consumed of a shared device (KEP-5075); empty if the device is not shared
 * @param configuredFor the groups, by counter set, that the hardware was configured for; null for admin access, which configures nothing
 * @param container the device, or share of it, that containers and the kubelet get: the allocated one, unless an injected fault
 *     replaced it
 * @param type the attribute {@code type} of the device that containers get; {@link #UNKNOWN_TYPE} if it has none
 */
record PreparedResult(
        DeviceId id,
        List<String> requests,
        Map<String, Quantity> consumed,
        @Nullable CompatibilityGroups configuredFor,
        ContainerDevice container,
        String type) {

    /** The name that NVIDIA's driver uses in metrics. */
    static final String UNKNOWN_TYPE = "unknown";

    /**
     * A result without a fault: containers get the allocated device.
     *
     * @param shareId the share of the device; null if the device is not shared
     */
    PreparedResult(
            DeviceId id,
            List<String> requests,
            @Nullable String shareId,
            Map<String, Quantity> consumed,
            @Nullable CompatibilityGroups configuredFor) {
        this(id, requests, consumed, configuredFor, new ContainerDevice(id, shareId), UNKNOWN_TYPE);
    }

    PreparedResult {
        requests = List.copyOf(requests);
        consumed = Map.copyOf(consumed);
    }

    /** Returns this result with the device that containers get. */
    PreparedResult with(DeviceSetup setup) {
        return new PreparedResult(
                id,
                requests,
                consumed,
                configuredFor,
                setup.container(),
                setup.device().text("type").orElse(UNKNOWN_TYPE));
    }

    /** The device that is unavailable to other claims; empty for admin access. */
    Optional<PreparedDevice> held(ClaimRef claim) {
        return Optional.ofNullable(configuredFor).map(groups -> new PreparedDevice(id, claim, groups, consumed));
    }

    String label() {
        return container.label();
    }

    /** The share of the device; null if the device is not shared. */
    @Nullable String shareId() {
        return container.shareId();
    }

    boolean isSameAllocation(PreparedResult other) {
        return id.equals(other.id) && requests.equals(other.requests) && Objects.equals(shareId(), other.shareId());
    }
}
