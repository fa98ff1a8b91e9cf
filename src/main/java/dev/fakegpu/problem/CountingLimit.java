package dev.fakegpu.problem;

import dev.fakegpu.allocate.Limit;
import org.jspecify.annotations.Nullable;

/** Another limit; how often that is asked is how many steps the search takes. */
final class CountingLimit implements Limit {

    private final Limit limit;
    private long steps;

    CountingLimit(Limit limit) {
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
