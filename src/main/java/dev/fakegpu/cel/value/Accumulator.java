package dev.fakegpu.cel.value;

/**
 * A list or map that a comprehension is still filling. It is added to in place, since copying it at each step would make a
 * comprehension quadratic.
 */
public interface Accumulator {

    /** The same elements, to be shared from now on. */
    Object finished();

    /** An accumulator in place of an empty list or map; every other initial value stays what it is. */
    static Object startingWith(Object initial) {
        if (initial instanceof java.util.List<?> list && list.isEmpty()) {
            return new AccumulatedList();
        }
        return initial instanceof java.util.Map<?, ?> map && map.isEmpty() ? new AccumulatedMap() : initial;
    }
}
