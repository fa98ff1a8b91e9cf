package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.AttributeValue;

/** The result of the expression of a derived attribute for one device (KEP-6080). */
public sealed interface DerivedAttributeResult {

    /** The device has the attribute. */
    record Value(AttributeValue value) implements DerivedAttributeResult {}

    /**
     * The expression does not compile, failed for this device, or has a result that no attribute can hold. Upstream then
     * aborts the whole allocation attempt.
     *
     * @param message what went wrong, with the expression
     */
    record Error(String message) implements DerivedAttributeResult {}
}
