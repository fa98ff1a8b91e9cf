package dev.fakegpu.util;

import java.time.Duration;

/**
 * Time that only goes forward, for everything that waits, backs off, expires, repeats or is measured. The wall clock ({@link
 * java.time.Clock}) is for what people read and the API stores: NTP, leap seconds and resumed machines set it back and forth.
 */
@FunctionalInterface
public interface Ticker {

    /** That of the JVM. */
    Ticker SYSTEM = System::nanoTime;

    /** Nanoseconds since an arbitrary origin, never less than before; thread-safe. */
    long nanos();

    default Moment now() {
        return new Moment(Duration.ofNanos(nanos()));
    }

    /** How long ago that was. */
    default Duration since(Moment begin) {
        return begin.until(now());
    }

    /** How long it is until then; negative if it is over. */
    default Duration until(Moment end) {
        return now().until(end);
    }
}
