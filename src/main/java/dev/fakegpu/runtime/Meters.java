package dev.fakegpu.runtime;

import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Stream;

/** Code that the metrics of all parts share. */
final class Meters {

    private static final Duration[] BUCKETS = Stream.of(
                    "0.001S", "0.0025S", "0.005S", "0.01S", "0.025S", "0.05S", "0.1S", "0.25S", "0.5S", "1S", "2.5S",
                    "5S", "10S", "30S", "60S", "300S", "1800S")
            .map(seconds -> Duration.parse("PT" + seconds))
            .toArray(Duration[]::new);

    private Meters() {}

    /** A histogram from a millisecond to half an hour. */
    static Timer.Builder latency(String name) {
        return Timer.builder(name).serviceLevelObjectives(BUCKETS);
    }

    /** The value of a label. */
    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
