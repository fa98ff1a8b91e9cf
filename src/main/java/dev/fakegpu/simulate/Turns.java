package dev.fakegpu.simulate;

/**
 * Whose turn it is if schedulers, controllers and the writes of decisions all have something to do at the same time. In a real cluster, no
 * order is certain.
 */
public enum Turns {
    /** Schedulers try pods once controllers have created and deleted everything, and again once claims are released. */
    CONTROLLERS_FIRST,

    /**
     * Schedulers try pods after each write, such as the release of one of several claims. A pod that the write does not help yet is then in
     * back-off when the next one comes.
     */
    SCHEDULERS_FIRST,

    /** Schedulers try pods once everything is written, including the release of claims. */
    WRITES_FIRST
}
