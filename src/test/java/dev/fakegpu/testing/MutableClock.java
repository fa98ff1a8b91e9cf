package dev.fakegpu.testing;

import dev.fakegpu.util.Ticker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock and a ticker that go only when a test makes them go. */
public final class MutableClock extends Clock implements Ticker {

    private volatile Instant now;
    private volatile Duration passed = Duration.ZERO;
    private volatile Duration perReading = Duration.ZERO;

    public MutableClock(String now) {
        this.now = Instant.parse(now);
    }

    /** As if something slow were done before each reading. */
    public void advanceAtEachReading(Duration step) {
        perReading = step;
    }

    /** Time passes. */
    public void advance(Duration duration) {
        now = now.plus(duration);
        passed = passed.plus(duration);
    }

    /** Somebody sets the clock; no time passes. */
    public void jump(Duration step) {
        now = now.plus(step);
    }

    @Override
    public Instant instant() {
        advance(perReading);
        return now;
    }

    @Override
    public long nanos() {
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
