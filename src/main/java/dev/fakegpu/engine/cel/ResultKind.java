package dev.fakegpu.engine.cel;

import dev.cel.common.types.CelType;
import dev.fakegpu.engine.cel.value.Failure;

/**
 * Converts the values of one kind of device expression to results.
 *
 * @param <R> the type of the results, which can also be an error
 */
interface ResultKind<R> {

    /** The name of this kind of expressions in error messages. */
    String expressionName();

    /** @throws Failure if expressions of this kind cannot have that type */
    void requireType(CelType type);

    /** @throws Failure if the value is not a valid result for expressions of this kind */
    R result(Object value);

    R error(String message);
}
