package dev.fakegpu.prepare;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.Quantity;
import java.util.Map;

/**
 * A device that is set up on its node for a claim.
 *
 * @param configuredFor the groups by counter set that the hardware was configured for at that moment; a FakeGpu that is edited
 *     later does not reconfigure hardware in use
 * @param consumed what the claim takes of the device's capacities, where it shares the device (KEP-5075); empty where it has it whole
 */
public record PreparedDevice(
        DeviceId id, ClaimRef claim, CompatibilityGroups configuredFor, Map<String, Quantity> consumed) {

    public PreparedDevice {
        consumed = Map.copyOf(consumed);
    }

    /** A device that its claim has whole. */
    public PreparedDevice(DeviceId id, ClaimRef claim, CompatibilityGroups configuredFor) {
        this(id, claim, configuredFor, Map.of());
    }
}
