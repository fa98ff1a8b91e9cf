package dev.fakegpu.testing;

import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock and a ticker that only advance when a test advances them. Thread-safe, because tested code may read them in other threads. */
public final class MutableClock extends Clock implements Ticker {

    private Instant now;
    private Duration passed = Duration.ZERO;
    private Duration perReading = Duration.ZERO;

    public MutableClock(String now) {
        this.now = Instant.parse(now);
    }

    /** Advances the clock before each reading, as if something slow were done. */
    public synchronized void advanceAtEachReading(Duration step) {
        perReading = step;
    }

    /** Lets time pass. */
    public synchronized void advance(Duration duration) {
        now = now.plus(duration);
        passed = passed.plus(duration);
    }

    /** Sets the clock, without letting time pass. */
    public synchronized void jump(Duration step) {
        now = now.plus(step);
    }

    @Override
    public synchronized Instant instant() {
        advance(perReading);
        return now;
    }

    @Override
    public synchronized long nanos() {
        advance(perReading);
        return passed.toNanos();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a test knows one zone");
    }
}
