package dev.fakegpu.util;

import java.time.Duration;

/**
 * A monotonic clock for waiting, back-off, expiry, repetition and measurements. The wall clock ({@link java.time.Clock}) is for times that
 * people read or the API stores: NTP, leap seconds and resumed machines can set it back or forward.
 */
@FunctionalInterface
public interface Ticker {

    /** The monotonic clock of the JVM. */
    Ticker SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary origin. The value never decreases. Thread-safe. */
    long nanos();

    default Moment now() {
        return new Moment(Duration.ofNanos(nanos()));
    }

    /** The time that has passed since the moment. */
    default Duration since(Moment begin) {
        return begin.until(now());
    }

    /** The time until the moment; negative if it has passed. */
    default Duration until(Moment end) {
        return now().until(end);
    }
}
