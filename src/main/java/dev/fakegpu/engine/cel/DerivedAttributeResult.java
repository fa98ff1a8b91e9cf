package dev.fakegpu.engine.cel;

import dev.fakegpu.dra.AttributeValue;

/** The result of a derived attribute's expression for one device (KEP-6080). */
public sealed interface DerivedAttributeResult {

    /** The device has the attribute. */
    record Value(AttributeValue value) implements DerivedAttributeResult {}

    /**
     * The expression does not compile, fails for this device, or has a result that no attribute can hold. Upstream then aborts the whole
     * allocation attempt.
     *
     * @param message the error, with the expression
     */
    record Error(String message) implements DerivedAttributeResult {}
}
