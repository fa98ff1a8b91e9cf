package dev.fakegpu.engine.allocate.pool;

/** How the allocator treats compatibility groups: the states of a scheduler's feature gate DRADeviceCompatibilityGroups. */
public enum GroupsGate {
    /** Groups are enforced. */
    ON,
    /**
     * As a scheduler with the gate off: slices with groups are ignored, which leaves their pool incomplete, and no further devices are
     * allocated on counter sets that have a device with groups.
     */
    OFF,
    /** As a scheduler older than the feature: it does not see groups, so it allocates incompatible devices together. */
    UNAWARE
}
