package dev.fakegpu.cel.library;

import dev.fakegpu.cel.value.Failure;

/** A function with the overloads that a call can mean. */
public interface Callable {

    /** The result, or a {@link Failure} as a value. */
    Object call(Object[] arguments);

    /** Whether the second argument is evaluated, and paid for, although the first one failed. */
    default boolean evaluatesAllArguments() {
        return true;
    }

    /** Whether a failed argument fails the call without calling the function. */
    default boolean isStrict() {
        return true;
    }
}
