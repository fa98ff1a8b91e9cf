package dev.fakegpu.engine.cel;

/** The result of a selector for one device. */
public sealed interface SelectorResult {

    /** The device is selected. */
    record Match() implements SelectorResult {}

    /** The device is not selected. */
    record NoMatch() implements SelectorResult {}

    /**
     * The expression does not compile, or fails for this device, for example because the device lacks an attribute that it reads. Upstream
     * then aborts the whole allocation attempt.
     *
     * @param message the error, with the expression
     */
    record Error(String message) implements SelectorResult {}
}
