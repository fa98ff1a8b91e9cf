package dev.fakegpu.engine.cel.eval;

import dev.fakegpu.engine.cel.value.Failure;

/** The cost of a call, given its arguments and its result, each of which can be a {@link Failure}. */
@FunctionalInterface
interface CallCost {
    long of(Object[] arguments, Object result);
}
