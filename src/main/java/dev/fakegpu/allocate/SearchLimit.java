package dev.fakegpu.allocate;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** How long an attempt may go on. Asked in every step, so it must be cheap. */
@FunctionalInterface
public interface SearchLimit {

    /** Why the attempt must end now; null as long as it may go on. */
    @Nullable String reached();

    static SearchLimit none() {
        return () -> null;
    }

    /**
     * Ends an attempt that takes too long, counted from now. Not for several threads.
     *
     * @param nanoTime such as {@link System#nanoTime}
     */
    static SearchLimit of(Duration duration, LongSupplier nanoTime) {
        return new TimeLimit(duration, nanoTime);
    }

    /** Ends an attempt that is no longer wanted. */
    static SearchLimit cancelledBy(BooleanSupplier cancelled) {
        return () -> cancelled.getAsBoolean() ? "cancelled" : null;
    }
}
