package dev.fakegpu.allocate;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long a search may go on. Checked in every step, so it must be cheap. */
@FunctionalInterface
public interface SearchLimit {

    /** Why the search must end now; null as long as it may go on. */
    @Nullable String reached();

    static SearchLimit none() {
        return () -> null;
    }

    /**
     * Ends a search that takes too long, counted from now. Not thread-safe.
     *
     * @param nanoTime such as {@link System#nanoTime}
     */
    static SearchLimit of(Duration duration, LongSupplier nanoTime) {
        return new TimeLimit(duration, nanoTime);
    }

    /** Ends a search whose result is no longer needed. */
    static SearchLimit cancelledBy(BooleanSupplier cancelled) {
        return () -> cancelled.getAsBoolean() ? "cancelled" : null;
    }
}
