package dev.fakegpu.pending;

/** Whether a pod or claim waits. */
public enum State {
    /** A pod has a node and its devices; a claim has devices. */
    SERVED,
    /** It waits for something. */
    PENDING,
    /** It has ended, or is being deleted. */
    OVER
}
