package dev.fakegpu.util;

import java.time.Duration;

/**
 * A point in time of a {@link Ticker}. It has a type of its own so that it cannot be confused with a time of the wall clock, which can be
 * set back or forward. Only moments of the same process can be compared.
 *
 * @param sinceOrigin the time since the origin of the ticker, which is the same for all of its moments
 */
public record Moment(Duration sinceOrigin) implements Comparable<Moment> {

    /** A moment before all others, for events that have never happened. Subtracting it from any other moment does not overflow. */
    public static final Moment NEVER = new Moment(Duration.ofSeconds(Long.MIN_VALUE / 2));

    /** After all others, for what never comes; so far away from all of them that they can be subtracted. */
    private static final Moment LAST = new Moment(Duration.ofSeconds(Long.MAX_VALUE / 2));

    /** @param duration of any length: users set some of them */
    public Moment plus(Duration duration) {
        return duration.compareTo(until(LAST)) < 0 ? new Moment(sinceOrigin.plus(duration)) : LAST;
    }

    public Moment minus(Duration duration) {
        return new Moment(sinceOrigin.minus(duration));
    }

    /** The moment rounded down to a whole second since the origin. */
    public Moment wholeSecond() {
        return new Moment(Duration.ofSeconds(sinceOrigin.getSeconds()));
    }

    public boolean isBefore(Moment other) {
        return compareTo(other) < 0;
    }

    public boolean isAfter(Moment other) {
        return compareTo(other) > 0;
    }

    /** The time from this moment to the other one; negative if that is earlier. */
    public Duration until(Moment other) {
        return other.sinceOrigin.minus(sinceOrigin);
    }

    @Override
    public int compareTo(Moment other) {
        return sinceOrigin.compareTo(other.sinceOrigin);
    }
}
