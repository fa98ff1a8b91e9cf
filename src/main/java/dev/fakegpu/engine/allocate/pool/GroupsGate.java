package dev.fakegpu.engine.allocate.pool;

/** How the allocator treats compatibility groups, depending on a scheduler's feature gate DRADeviceCompatibilityGroups. */
public enum GroupsGate {
    /** Groups are enforced. */
    ON,
    /**
     * Like a scheduler with the gate off. It ignores slices with groups, which makes their pool incomplete, and allocates no further
     * devices on counter sets that have a device with groups.
     */
    OFF,
    /** Like a scheduler older than the feature. It does not see groups, so it allocates incompatible devices together. */
    UNAWARE
}
