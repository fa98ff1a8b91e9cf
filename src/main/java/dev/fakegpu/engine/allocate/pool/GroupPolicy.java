package dev.fakegpu.engine.allocate.pool;

/** Which compatibility groups count for a device that is already allocated. */
public enum GroupPolicy {
    /**
     * Those recorded when it was allocated, as in KEP-5963. They remain in force after the driver changed or removed the device.
     * If nothing was recorded, those of the current slice.
     */
    SNAPSHOT,
    /** Those of the current slice, as Kubernetes 1.37 merged it: a device that is no longer published constrains no other. */
    LIVE
}
