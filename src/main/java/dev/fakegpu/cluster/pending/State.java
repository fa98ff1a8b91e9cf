package dev.fakegpu.cluster.pending;

/** Whether a pod or claim waits for devices. */
public enum State {
    /** A pod has a node and its devices; a claim has devices. */
    SERVED,
    /** It has a node and devices, but the hardware of the devices no longer works. */
    UNHEALTHY,
    /** It waits for something. */
    PENDING,
    /** A pod has a node and devices, but does not run because they cannot be prepared. */
    UNPREPARED,
    /** It has ended, or is being deleted. */
    OVER;

    /** Whether a report should include it even if it was not requested. */
    public boolean isTrouble() {
        return isStuck() || this == UNHEALTHY;
    }

    /** Whether it cannot proceed. */
    public boolean isStuck() {
        return this == PENDING || this == UNPREPARED;
    }
}
