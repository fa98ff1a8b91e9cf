package dev.fakegpu.problemfile;

import dev.fakegpu.allocate.SearchLimit;
import org.jspecify.annotations.Nullable;

/** Another limit; how often that is asked is how many steps the search takes. */
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

    long steps() {
        return steps;
    }
}
