package dev.fakegpu.cel;

/** What a call costs, given its arguments and its result, each of which can be a {@link Failure}. */
@FunctionalInterface
interface CallCost {
    long of(Object[] arguments, Object result);
}
