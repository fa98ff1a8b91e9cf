package dev.fakegpu.engine.cel.value;

/**
 * A list or map that a comprehension fills in place: a copy for each element would make comprehensions quadratic.
 */
public interface Accumulator {

    /** An unmodifiable copy, made once the comprehension has ended. */
    Object finished();

    /** An accumulator if the initial value is an empty list or map; otherwise the initial value itself. */
    static Object startingWith(Object initial) {
        if (initial instanceof java.util.List<?> list && list.isEmpty()) {
            return new AccumulatedList();
        }
        return initial instanceof java.util.Map<?, ?> map && map.isEmpty() ? new AccumulatedMap() : initial;
    }
}
