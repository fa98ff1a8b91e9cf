package dev.fakegpu.allocate;

/** Which groups of an already allocated device count. */
public enum GroupPolicy {
    /**
     * Those recorded when it was allocated, as KEP-5963 has it: they hold also after the driver changed or removed the device.
     * Where nothing was recorded, those of the current slice.
     */
    SNAPSHOT,
    /** Those of the current slice, as Kubernetes 1.37 merged it: a device that is no longer published constrains nobody. */
    LIVE
}
