package dev.fakegpu.engine.allocate.pool;

/** Which compatibility groups count for a device that is already allocated. */
public enum GroupPolicy {
    /**
     * The groups recorded at allocation, as in KEP-5963. They remain in force after the driver has changed or removed the device. If none
     * were recorded, the groups of the current slice count.
     */
    SNAPSHOT,
    /** The groups of the current slice, as merged in Kubernetes 1.37. A device that is no longer published does not constrain others. */
    LIVE
}
