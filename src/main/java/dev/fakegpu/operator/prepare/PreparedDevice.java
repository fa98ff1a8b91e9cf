package dev.fakegpu.operator.prepare;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import java.util.Map;

/**
 * A device that is prepared on its node for a claim.
 *
 * @param configuredFor the groups, by counter set, that the hardware was configured for at preparation; editing the FakeGpu later does
 *     not reconfigure hardware in use
 * @param consumed the capacity that the claim consumes of a shared device (KEP-5075); empty if the device is not shared
 */
public record PreparedDevice(
        DeviceId id, ClaimRef claim, CompatibilityGroups configuredFor, Map<String, Quantity> consumed) {

    public PreparedDevice {
        consumed = Map.copyOf(consumed);
    }

    /** A device that is not shared. */
    public PreparedDevice(DeviceId id, ClaimRef claim, CompatibilityGroups configuredFor) {
        this(id, claim, configuredFor, Map.of());
    }
}
