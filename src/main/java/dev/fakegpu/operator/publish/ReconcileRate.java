package dev.fakegpu.operator.publish;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits the reconciliations of a FakeGpu to four per second. The framework's own limiter compares wall-clock times, so if the clock were
 * set back by an hour, nothing would be reconciled for an hour.
 */
public final class ReconcileRate implements RateLimiter<ReconcileRate.State> {

    static final int LIMIT = 4;
    static final Duration PERIOD = Duration.ofSeconds(1);

    private final Ticker ticker;

    /** Called by the framework. */
    public ReconcileRate() {
        this(Ticker.SYSTEM);
    }

    ReconcileRate(Ticker ticker) {
        this.ticker = ticker;
    }

    /** The count for one FakeGpu; the framework never uses it on two threads at a time. */
    public static final class State implements RateLimitState {
        private Moment begin = Moment.NEVER;
        private int count;
    }

    @Override
    public State initState() {
        return new State();
    }

    /** Returns the time until the next reconciliation may begin. Returns empty if it may begin now, and counts it. */
    @Override
    public Optional<Duration> isLimited(RateLimitState limited) {
        var state = (State) limited;
        Moment now = ticker.now();
        if (!now.isBefore(state.begin.plus(PERIOD))) {
            state.begin = now;
            state.count = 0;
        }
        if (state.count == LIMIT) {
            return Optional.of(now.until(state.begin.plus(PERIOD)));
        }
        state.count++;
        return Optional.empty();
    }
}
