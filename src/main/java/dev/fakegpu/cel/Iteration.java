package dev.fakegpu.cel;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Iteration over a list's elements or a map's keys, as comprehensions and list functions do it. */
final class Iteration {

    private Iteration() {}

    /** Null where the value is nothing to iterate over. */
    static @Nullable Iterator<?> of(Object value) {
        if (value instanceof List<?> list) {
            return list.iterator();
        }
        return value instanceof Map<?, ?> map ? map.keySet().iterator() : null;
    }
}
