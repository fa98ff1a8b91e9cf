package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.engine.allocate.SearchLimit;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How long an explanation goes on at a time: as long as nobody waits, but at least {@link #LEAST}. What it found out about nodes is kept, so
 * in its next turn it goes on where it was. Not thread-safe.
 */
public final class ExplanationTurn {

    /** Of processor time. Whoever comes waits so long at most; several times what it takes to look at what is known of a thousand nodes. */
    public static final Duration LEAST = Duration.ofMillis(10);

    /** After so many turns, an explanation goes on to its end, whoever waits: changes may have made all it found out worthless. */
    public static final int MAX = 50;

    private final SearchLimit least;
    private final BooleanSupplier othersWait;
    private boolean isOver;
    private boolean isCut;

    /**
     * @param before turns that the same explanation has had
     * @param othersWait may change in the meantime
     */
    ExplanationTurn(int before, LongSupplier computing, BooleanSupplier othersWait) {
        least = SearchLimit.of(LEAST, computing);
        this.othersWait = before < MAX ? othersWait : () -> false;
    }

    /** @param whole of the explanation, whoever waits */
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

    /** Whether the explanation has given way, so that its result is none. */
    public boolean isOver() {
        return isOver;
    }

    /** Whether the explanation has taken as long as it may, so that it does not say all there is to say. */
    public boolean isCut() {
        return isCut;
    }
}
