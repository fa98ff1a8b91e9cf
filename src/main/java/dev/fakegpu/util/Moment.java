package dev.fakegpu.util;

import java.time.Duration;

/**
 * A moment in the time of a {@link Ticker}, so that it cannot be mixed up with a time of the wall clock: that one is set back and forth.
 * Moments of one process only can be compared.
 *
 * @param sinceOrigin since a moment that is the same for all of a ticker
 */
public record Moment(Duration sinceOrigin) implements Comparable<Moment> {

    /** Before all others, for what has never been; so far away from all of them that it can be subtracted. */
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

    /** The beginning of its second since the origin. */
    public Moment wholeSecond() {
        return new Moment(Duration.ofSeconds(sinceOrigin.getSeconds()));
    }

    public boolean isBefore(Moment other) {
        return compareTo(other) < 0;
    }

    public boolean isAfter(Moment other) {
        return compareTo(other) > 0;
    }

    /** From this one to the other one; negative if that is earlier. */
    public Duration until(Moment other) {
        return other.sinceOrigin.minus(sinceOrigin);
    }

    @Override
    public int compareTo(Moment other) {
        return sinceOrigin.compareTo(other.sinceOrigin);
    }
}
