package dev.fakegpu.dra;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A device that a claim holds.
 *
 * @param groups the compatibility groups recorded at allocation; null if none were recorded
 * @param share the part of the device that is held; null for the whole device
 */
public record AllocatedDevice(
        DeviceId id,
        ClaimRef holder,
        @Nullable CompatibilityGroups groups,
        @Nullable Share share) {

    /**
     * A part of a device that allows multiple allocations (KEP-5075).
     *
     * @param id the share ID in the claim's status; null if only the consumption is known
     * @param consumedCapacity the amount of each capacity that is consumed
     */
    public record Share(@Nullable String id, Map<String, Quantity> consumedCapacity) {
        public Share {
            consumedCapacity = Map.copyOf(consumedCapacity);
        }
    }

    /** A device that is held as a whole. */
    public AllocatedDevice(DeviceId id, ClaimRef holder, @Nullable CompatibilityGroups groups) {
        this(id, holder, groups, null);
    }
}
