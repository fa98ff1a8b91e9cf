package dev.fakegpu.engine.cel.value;

import java.util.Collections;
import java.util.LinkedHashMap;

/** The result of a {@code transformMap()} under construction. */
public final class AccumulatedMap extends LinkedHashMap<Object, Object> implements Accumulator {
    private static final long serialVersionUID = 1L;

    @Override
    public Object finished() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(this));
    }
}
