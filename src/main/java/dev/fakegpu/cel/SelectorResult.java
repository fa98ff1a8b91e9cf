package dev.fakegpu.cel;

/** What a selector says about a device. */
public sealed interface SelectorResult {

    /** The device is selected. */
    record Match() implements SelectorResult {}

    /** The device is not selected. */
    record NoMatch() implements SelectorResult {}

    /**
     * The expression does not compile, or failed for this device, for example because it asks for an attribute that the device
     * lacks. Upstream gives up the whole allocation attempt when it meets one.
     *
     * @param message what went wrong, with the expression
     */
    record Error(String message) implements SelectorResult {}
}
