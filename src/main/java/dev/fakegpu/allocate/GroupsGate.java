package dev.fakegpu.allocate;

/** How the allocator treats compatibility groups: the states of the gate DRADeviceCompatibilityGroups in a scheduler. */
public enum GroupsGate {
    /** Groups are enforced. */
    ON,
    /**
     * As a scheduler that knows the groups but may not use them: slices with them are ignored, which leaves their pool incomplete,
     * and counter sets on which a device with groups is allocated are kept free of further devices.
     */
    OFF,
    /** As a scheduler older than the feature: groups are not seen at all, so incompatible devices are allocated together. */
    UNAWARE
}
