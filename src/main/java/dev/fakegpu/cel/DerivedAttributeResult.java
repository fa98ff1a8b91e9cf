package dev.fakegpu.cel;

import dev.fakegpu.dra.AttributeValue;

/** What the expression of a derived attribute says about a device (KEP-6080). */
public sealed interface DerivedAttributeResult {

    /** The device has the attribute. */
    record Value(AttributeValue value) implements DerivedAttributeResult {}

    /**
     * The expression does not compile, failed for this device, or came to something that no attribute can hold. Upstream gives
     * up the whole allocation attempt when it meets one.
     *
     * @param message what went wrong, with the expression
     */
    record Error(String message) implements DerivedAttributeResult {}
}
