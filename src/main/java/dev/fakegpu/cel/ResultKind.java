package dev.fakegpu.cel;

import dev.cel.common.types.CelType;
import dev.fakegpu.cel.value.Failure;

/**
 * How the values of one kind of device expression are read.
 *
 * @param <R> the results, of which one case is an error
 */
interface ResultKind<R> {

    /** What an expression of this kind is called in error messages. */
    String expressionName();

    /** @throws Failure if expressions of this kind cannot have that type */
    void requireType(CelType type);

    /** @throws Failure if the value is no result of an expression of this kind */
    R result(Object value);

    R error(String message);
}
