package dev.fakegpu.operator.publish;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import io.javaoperatorsdk.operator.processing.event.rate.RateLimiter;
import java.time.Duration;
import java.util.Optional;

/**
 * At most four reconciliations of a FakeGpu a second. The framework's own limiter compares times of the wall clock, so that after that was set
 * back by an hour, nothing would be reconciled for an hour.
 */
public final class ReconcileRate implements RateLimiter<ReconcileRate.State> {

    static final int LIMIT = 4;
    static final Duration PERIOD = Duration.ofSeconds(1);

    private final Ticker ticker;

    /** For the framework. */
    public ReconcileRate() {
        this(Ticker.SYSTEM);
    }

    ReconcileRate(Ticker ticker) {
        this.ticker = ticker;
    }

    /** What is counted for one FakeGpu; the framework does not use it on two threads at a time. */
    public static final class State implements RateLimitState {
        private Moment begin = Moment.NEVER;
        private int count;
    }

    @Override
    public State initState() {
        return new State();
    }

    /** Returns how long it is until the next reconciliation may begin; empty, and counts it, if it may begin now. */
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
