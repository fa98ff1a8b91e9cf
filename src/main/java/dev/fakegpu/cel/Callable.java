package dev.fakegpu.cel;

/** A function as a call found it when the expression was planned. */
interface Callable {

    /** The result, or a {@link Failure} as a value. */
    Object call(Object[] arguments);

    /** Whether the second argument is evaluated, and paid for, although the first one failed. */
    default boolean evaluatesAllArguments() {
        return true;
    }

    /** Whether a failed argument fails the call without asking the function. */
    default boolean isStrict() {
        return true;
    }
}
