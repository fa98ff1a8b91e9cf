package dev.fakegpu.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that goes only when a test makes it go. */
public final class MutableClock extends Clock {

    private volatile Instant now;
    private volatile Duration step = Duration.ZERO;

    public MutableClock(String now) {
        this.now = Instant.parse(now);
    }

    /** As if something slow were done before each reading. */
    public void advanceAtEachReading(Duration step) {
        this.step = step;
    }

    public void advance(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public Instant instant() {
        advance(step);
        return now;
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
