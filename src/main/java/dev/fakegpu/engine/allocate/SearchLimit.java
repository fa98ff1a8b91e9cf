package dev.fakegpu.engine.allocate;

import dev.fakegpu.engine.cel.InterruptCheck;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits an allocation attempt. It is checked in two ways: {@link #reached} in every step of the search, so that a limit can count steps,
 * and {@link #interrupted} also between steps, wherever the time depends on the number of devices, selectors, nodes or claims.
 */
@FunctionalInterface
public interface SearchLimit {

    /** Why the search must end now; null if it can continue. Called in every step, so it must be cheap. */
    @Nullable String reached();

    /**
     * Does the same between steps, without counting a step. Called before each evaluation of a selector, every few thousand cost units of
     * an evaluation, and in loops for one in a few dozen devices. A limit of steps never interrupts.
     */
    default @Nullable String interrupted() {
        return null;
    }

    /** For evaluations outside of an attempt, which end when the limit is reached. */
    default InterruptCheck interruptCheck() {
        return new LimitCheck(this);
    }

    static SearchLimit none() {
        return () -> null;
    }

    /** Ends a search after this many steps, counted from now. Not thread-safe. */
    static SearchLimit steps(long maximum) {
        long[] steps = {0};
        return () -> ++steps[0] > maximum ? "gave up after " + maximum + " steps" : null;
    }

    /**
     * Ends a search after this time, counted from now. Not thread-safe.
     *
     * @param nanoTime a clock such as {@link System#nanoTime}
     */
    static SearchLimit of(Duration duration, LongSupplier nanoTime) {
        return new TimeLimit(duration, nanoTime);
    }

    /** Ends a search whose result is no longer needed. */
    static SearchLimit cancelledBy(BooleanSupplier cancelled) {
        return new SearchLimit() {
            @Override
            public @Nullable String reached() {
                return cancelled.getAsBoolean() ? "cancelled" : null;
            }

            @Override
            public @Nullable String interrupted() {
                return reached();
            }
        };
    }

    /** This limit while the condition holds, and no limit while it does not. */
    default SearchLimit onlyIf(BooleanSupplier condition) {
        SearchLimit one = this;
        return new SearchLimit() {
            @Override
            public @Nullable String reached() {
                return condition.getAsBoolean() ? one.reached() : null;
            }

            @Override
            public @Nullable String interrupted() {
                return condition.getAsBoolean() ? one.interrupted() : null;
            }
        };
    }

    /** This limit or the other one, whichever is reached first. */
    default SearchLimit and(SearchLimit other) {
        SearchLimit one = this;
        return new SearchLimit() {
            @Override
            public @Nullable String reached() {
                String reached = one.reached();
                return reached == null ? other.reached() : reached;
            }

            @Override
            public @Nullable String interrupted() {
                String interrupted = one.interrupted();
                return interrupted == null ? other.interrupted() : interrupted;
            }
        };
    }
}
