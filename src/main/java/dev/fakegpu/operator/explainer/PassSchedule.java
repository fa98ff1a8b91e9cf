package dev.fakegpu.operator.explainer;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Determines when the explainer's next pass begins. Those that have no explanation yet wait only for a short delay, however long the last
 * pass took; those that may have another explanation than before wait until the explainer has rested. Thread-safe.
 */
final class PassSchedule {

    /** So that transient problems cause no event. */
    static final Duration DELAY = Duration.ofSeconds(1);

    /** Between two passes at least. */
    static final Duration INTERVAL = Duration.ofMillis(500);

    /** After a full pass, the next one waits for this many times as long as it took. */
    private static final int REST_FACTOR = 3;

    private @Nullable Moment arrivalsDue;
    private @Nullable Moment changesDue;
    private @Nullable Moment timer;
    private Moment restUntil = Moment.NEVER;

    /** What a pass is for. */
    enum Pass {
        /** It is not time for a pass. */
        NONE,
        /** Only those that have no explanation yet. */
        ARRIVALS,
        /** All. */
        FULL
    }

    /** Something has no explanation yet. */
    synchronized void arrived(Moment now) {
        arrivalsDueAt(now.plus(DELAY));
    }

    /** Something is to have its first explanation at that time, and not earlier. */
    synchronized void arrivalsDueAt(Moment due) {
        arrivalsDue = earlier(arrivalsDue, due);
    }

    /** Something may have another explanation than before. */
    synchronized void changed(Moment now) {
        changesDue = earlier(changesDue, later(now.plus(DELAY), restUntil));
    }

    /** The time of the next pass, for which a timer is to be set; empty if one is set. */
    synchronized Optional<Moment> setTimer() {
        Optional<Moment> next = Stream.of(Optional.ofNullable(arrivalsDue), Optional.ofNullable(changesDue))
                .flatMap(Optional::stream)
                .min(Moment::compareTo)
                .filter(due -> timer == null || due.isBefore(timer));
        next.ifPresent(due -> timer = due);
        return next;
    }

    /** To be called when a timer ends. The next one is set anew, whichever that was. */
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

    /** The pass had no time for something that has no explanation yet. */
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
