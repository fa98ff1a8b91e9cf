package dev.fakegpu.engine.problemfile;

import dev.fakegpu.engine.allocate.SearchLimit;
import org.jspecify.annotations.Nullable;

/** Counts the steps of a search by how often its limit is checked. */
final class StepCounter implements SearchLimit {

    private final SearchLimit limit;
    private long steps;

    StepCounter(SearchLimit limit) {
        this.limit = limit;
    }

    @Override
    public @Nullable String reached() {
        steps++;
        return limit.reached();
    }

    @Override
    public @Nullable String interrupted() {
        return limit.interrupted();
    }

    long steps() {
        return steps;
    }
}
