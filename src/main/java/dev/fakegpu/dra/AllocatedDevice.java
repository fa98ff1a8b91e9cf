package dev.fakegpu.dra;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device that a claim holds.
 *
 * @param groups the compatibility groups recorded when it was allocated, null if nothing was recorded
 * @param share the part of the device that is held, null for the whole device
 */
public record AllocatedDevice(
        DeviceId id,
        ClaimRef holder,
        @Nullable CompatibilityGroups groups,
        @Nullable Share share) {

    /**
     * A part of a device that allows multiple allocations (KEP-5075).
     *
     * @param id as in the claim's status, null where only the consumption is known
     * @param consumedCapacity how much of each capacity is consumed
     */
    public record Share(@Nullable String id, Map<String, Quantity> consumedCapacity) {
        public Share {
            consumedCapacity = Map.copyOf(consumedCapacity);
        }
    }

    /** A device that is held entirely. */
    public AllocatedDevice(DeviceId id, ClaimRef holder, @Nullable CompatibilityGroups groups) {
        this(id, holder, groups, null);
    }
}
