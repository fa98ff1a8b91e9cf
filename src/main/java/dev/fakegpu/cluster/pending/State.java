package dev.fakegpu.cluster.pending;

/** Whether a pod or claim waits for devices. */
public enum State {
    /** A pod has a node and its devices; a claim has devices. */
    SERVED,
    /** The same, and hardware of the devices does not work any more. */
    UNHEALTHY,
    /** It waits for something. */
    PENDING,
    /** A pod has a node and devices, but does not run, since they cannot be prepared. */
    UNPREPARED,
    /** It has ended, or is being deleted. */
    OVER;

    /** Whether somebody should look at it, although nobody has asked about it. */
    public boolean isTrouble() {
        return isStuck() || this == UNHEALTHY;
    }

    /** Whether it is held up. */
    public boolean isStuck() {
        return this == PENDING || this == UNPREPARED;
    }
}
