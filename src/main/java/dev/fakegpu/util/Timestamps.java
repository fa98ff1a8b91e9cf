package dev.fakegpu.util;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times and durations in API objects, which may come from files that no API server has checked. */
public final class Timestamps {

    private Timestamps() {}

    /** The latest time that there is if it would be later: the API accepts any number of seconds. */
    public static Instant later(Instant start, Duration duration) {
        return duration.compareTo(Duration.between(start, Instant.MAX)) < 0 ? start.plus(duration) : Instant.MAX;
    }

    /** Empty if there is none, or if its format is not the API server's. */
    public static Optional<Instant> read(@Nullable String written) {
        try {
            return Optional.ofNullable(written).map(Instant::parse);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
