package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.engine.allocate.SearchLimit;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limits how long an explanation runs at a time: until other work waits, but at least {@link #LEAST}. Its findings about nodes are kept, so
 * the next turn continues where this one stopped. Not thread-safe.
 */
public final class ExplanationTurn {

    /**
     * Processor time, which is the longest wait of new work. Several times what it takes to go through the known results of a thousand
     * nodes.
     */
    public static final Duration LEAST = Duration.ofMillis(10);

    /**
     * After this many turns, an explanation runs to its end even if other work waits, because changes may have invalidated all previous
     * findings.
     */
    public static final int MAX = 50;

    private final SearchLimit least;
    private final BooleanSupplier othersWait;
    private boolean isOver;
    private boolean isCut;

    /**
     * @param before the number of turns that the same explanation has had
     * @param othersWait may change during the turn
     */
    ExplanationTurn(int before, LongSupplier computing, BooleanSupplier othersWait) {
        least = SearchLimit.of(LEAST, computing);
        this.othersWait = before < MAX ? othersWait : () -> false;
    }

    /** @param whole the limit of the whole explanation, even if other work waits */
    SearchLimit within(SearchLimit whole) {
        return new SearchLimit() {
            @Override
            public @Nullable String reached() {
                return ended(whole.reached(), least.reached());
            }

            @Override
            public @Nullable String interrupted() {
                return ended(whole.interrupted(), least.interrupted());
            }
        };
    }

    private @Nullable String ended(@Nullable String whole, @Nullable String turn) {
        isCut |= whole != null;
        isOver |= turn != null && othersWait.getAsBoolean();
        return isOver ? "others wait" : whole;
    }

    /** Whether the explanation yielded, so that it has no result. */
    public boolean isOver() {
        return isOver;
    }

    /** Whether the explanation reached its time limit, so that it is incomplete. */
    public boolean isCut() {
        return isCut;
    }
}
