package dev.fakegpu.engine.cel.value;

import java.util.ArrayList;
import java.util.Collections;

/** The result of a {@code map()} or {@code filter()} under construction. */
public final class AccumulatedList extends ArrayList<Object> implements Accumulator {
    private static final long serialVersionUID = 1L;

    @Override
    public Object finished() {
        return Collections.unmodifiableList(new ArrayList<>(this));
    }
}
