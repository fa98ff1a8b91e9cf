package dev.fakegpu.simulate;

/**
 * Whose turn it is if schedulers, controllers and the writes of decisions all have something to do at the same time. In a real cluster, no
 * order is certain.
 */
public enum Turns {
    /** Schedulers try pods again once everything else is done. */
    WRITES_FIRST,

    /**
     * Schedulers try pods after each write, such as the release of one of several claims. A pod that the write does not help yet is then in
     * back-off when the next one comes.
     */
    SCHEDULERS_FIRST
}
