package dev.fakegpu.engine.cel.library;

import dev.fakegpu.engine.cel.value.Failure;

/** A function with the overloads to which a call can resolve. */
public interface Callable {

    /** The result, or a {@link Failure} as a value. */
    Object call(Object[] arguments);

    /** Whether the second argument is evaluated, and its cost added, even if the first one failed. */
    default boolean evaluatesAllArguments() {
        return true;
    }

    /** Whether a failed argument fails the call without calling the function. */
    default boolean isStrict() {
        return true;
    }
}
