package dev.fakegpu.prepare;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.CompatibilityGroups;
import dev.fakegpu.dra.DeviceId;

/**
 * A device that is set up on its node for a claim.
 *
 * @param configuredFor the groups by counter set that the hardware was configured for at that moment; a FakeGpu that is edited
 *     later does not reconfigure hardware in use
 */
public record PreparedDevice(DeviceId id, ClaimRef claim, CompatibilityGroups configuredFor) {}
