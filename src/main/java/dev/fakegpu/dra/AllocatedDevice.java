package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * A device that somebody holds.
 *
 * @param groups the compatibility groups recorded when it was allocated, null where nothing was recorded
 */
public record AllocatedDevice(
        DeviceId id, ClaimRef holder, @Nullable CompatibilityGroups groups) {}
