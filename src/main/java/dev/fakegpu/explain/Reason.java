package dev.fakegpu.explain;

/**
 * Why there is no allocation, for conditions and events. In the order of how much they tell: where several apply, the first is
 * given.
 */
public enum Reason {
    /** A claim asks for something that cannot be allocated here. */
    NotSupported,
    /** A request names a device class that does not exist, or none. */
    ClassNotFound,
    /** A claim asks for more devices than a claim can have. */
    TooManyDevices,
    /** A selector does not compile, or fails on a device. */
    SelectorFailed,
    /** Each request could be served, but not all of them. */
    NotTogether,
    /** A device is kept off by the compatibility groups of others on its counter set (KEP-5963). */
    DevicesIncompatible,
    /** A device needs more of a counter than is left (KEP-4815). */
    CountersExhausted,
    /** A device is held by another claim. */
    DevicesInUse,
    /** A device has a taint that the request does not tolerate. */
    DevicesTainted,
    /** A pool's slices contradict each other. */
    PoolInvalid,
    /** Slices use compatibility groups while the gate is off. */
    GroupsIgnored,
    /** A pool's slices are not all there. */
    PoolIncomplete,
    /** There are devices, but the selectors want none of them. */
    NoMatchingDevice,
    /** There are no devices. */
    NoDevices,
    /** Nothing is in the way, at least not any more. */
    Allocatable
}
