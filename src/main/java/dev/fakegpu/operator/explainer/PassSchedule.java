package dev.fakegpu.operator.explainer;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines when the explainer's next pass begins. Objects that have no explanation yet wait only for a short delay, no matter how long
 * the last pass took; objects whose explanation may have changed wait until the explainer has rested. Thread-safe.
 */
final class PassSchedule {

    /** The delay keeps transient problems from causing events. */
    static final Duration DELAY = Duration.ofSeconds(1);

    /** The minimum interval between two passes. */
    static final Duration INTERVAL = Duration.ofMillis(500);

    /** The rest after a full pass is this many times as long as the pass took. */
    private static final int REST_FACTOR = 3;

    private @Nullable Moment arrivalsDue;
    private @Nullable Moment changesDue;
    private @Nullable Moment timer;
    private Moment restUntil = Moment.NEVER;

    /** The objects that a pass handles. */
    enum Pass {
        /** No pass is due. */
        NONE,
        /** Only objects that have no explanation yet. */
        ARRIVALS,
        /** All objects. */
        FULL
    }

    /** Records that an object has no explanation yet. */
    synchronized void arrived(Moment now) {
        arrivalsDueAt(now.plus(DELAY));
    }

    /** Records that an object gets its first explanation at the given time, and not earlier. */
    synchronized void arrivalsDueAt(Moment due) {
        arrivalsDue = earlier(arrivalsDue, due);
    }

    /** Records that an explanation may have changed. */
    synchronized void changed(Moment now) {
        changesDue = earlier(changesDue, later(now.plus(DELAY), restUntil));
    }

    /** Returns the time of the next pass, for which the caller sets a timer; empty if one is already set. */
    synchronized Optional<Moment> setTimer() {
        Optional<Moment> next = Stream.of(Optional.ofNullable(arrivalsDue), Optional.ofNullable(changesDue))
                .flatMap(Optional::stream)
                .min(Moment::compareTo)
                .filter(due -> timer == null || due.isBefore(timer));
        next.ifPresent(due -> timer = due);
        return next;
    }

    /** Must be called when any timer ends. A new timer has to be set after that. */
    synchronized Pass begin(Moment now) {
        timer = null;
        boolean isFull = isDue(changesDue, now);
        boolean isForArrivals = isDue(arrivalsDue, now);
        if (isFull) {
            changesDue = null;
        }
        if (isForArrivals) {
            arrivalsDue = null;
        }
        return isFull ? Pass.FULL : isForArrivals ? Pass.ARRIVALS : Pass.NONE;
    }

    synchronized void ended(Pass pass, Moment begin, Moment end) {
        arrivalsDue = arrivalsDue == null ? null : later(arrivalsDue, end.plus(INTERVAL));
        if (pass == Pass.FULL) {
            Moment rested = end.plus(begin.until(end).multipliedBy(REST_FACTOR));
            restUntil = later(rested, end.plus(INTERVAL));
            changesDue = changesDue == null ? null : later(changesDue, restUntil);
        }
    }

    /** Records that the pass had no time for an object without an explanation. */
    synchronized void arrivalsAreLeft(Moment end) {
        arrivalsDueAt(end.plus(INTERVAL));
    }

    private static boolean isDue(@Nullable Moment due, Moment now) {
        return due != null && !due.isAfter(now);
    }

    private static Moment earlier(@Nullable Moment one, Moment other) {
        return one == null || other.isBefore(one) ? other : one;
    }

    private static Moment later(Moment one, Moment other) {
        return other.isAfter(one) ? other : one;
    }
}
