package dev.fakegpu.kube.events;

import dev.fakegpu.util.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides which events are written, and into which Event objects. Like client-go's {@code EventCorrelator}
 * ({@code tools/record/events_cache.go}), it counts repetitions, combines similar events in one Event, and limits writes with a token
 * bucket. Unlike there, each object and reason has its own bucket, and while it is empty, the newest message is kept until it can be
 * written. Thread-safe. It has no clock; callers pass the time.
 *
 * @param <T> other data that a write needs
 */
final class EventCorrelator<T> {

    /** How many writes about an object with the same reason are not delayed, and how many messages get an Event of their own. */
    static final int BURST = 5;

    /** The time between writes after the burst. */
    static final Duration REFILL_INTERVAL = Duration.ofMinutes(1);

    /** Within this time, a repetition of the message that was written last is only counted. */
    static final Duration REPEAT_INTERVAL = Duration.ofSeconds(5);

    /** After this time without events, messages get Events of their own again. As in client-go. */
    static final Duration SIMILAR_INTERVAL = Duration.ofMinutes(10);

    /** How many objects and reasons are remembered. As in client-go. */
    static final int MAX_REMEMBERED = 4096;

    /** The prefix of combined messages. As in client-go. */
    private static final String COMBINED = "(combined from similar events): ";

    /** Identifies the events that share a limit. */
    record Key(String uid, EventReason reason) {}

    /**
     * An Event to write.
     *
     * @param distinction the message if all counted events have the same one; otherwise empty
     * @param message the message of the newest event
     * @param occurrences the number of events since it was last written
     * @param isRepeated whether it was written before
     */
    record Write<T>(Key key, String distinction, String message, int occurrences, boolean isRepeated, T context) {

        /** The message as users see it. */
        String text() {
            return distinction.isEmpty() ? COMBINED + message : message;
        }
    }

    private record Newest<T>(String message, T context) {}

    private static final class Count {
        private int unwritten;
        private boolean isWritten;
    }

    private static final class Series<T> {
        private final Map<String, Count> counts = new HashMap<>();
        private double tokens = BURST;
        private Moment refilledAt;
        private Moment seenAt;
        private @Nullable String shown;
        private Moment shownAt = Moment.NEVER;
        private @Nullable Newest<T> delayed;

        Series(Moment now) {
            refilledAt = now;
            seenAt = now;
        }

        void seen(String message, Moment now) {
            if (seenAt.plus(SIMILAR_INTERVAL).isBefore(now)) {
                counts.clear();
            }
            seenAt = now;
            counts.computeIfAbsent(distinction(message), ignored -> new Count()).unwritten++;
        }

        String distinction(String message) {
            return counts.containsKey(message) || counts.size() < BURST ? message : "";
        }

        boolean isShown(String message, Moment now) {
            return message.equals(shown) && now.isBefore(shownAt.plus(REPEAT_INTERVAL));
        }

        boolean takeToken(Moment now) {
            double refilled = (double) refilledAt.until(now).toMillis() / REFILL_INTERVAL.toMillis();
            tokens = Math.min(BURST, tokens + Math.max(0, refilled));
            refilledAt = now;
            if (tokens < 1) {
                return false;
            }
            tokens--;
            return true;
        }

        Write<T> write(Key key, Newest<T> newest, Moment now) {
            shown = newest.message();
            shownAt = now;
            delayed = null;
            String distinction = distinction(newest.message());
            Count count = counts.computeIfAbsent(distinction, ignored -> new Count());
            var write = new Write<>(
                    key,
                    distinction,
                    newest.message(),
                    Math.max(1, count.unwritten),
                    count.isWritten,
                    newest.context());
            count.unwritten = 0;
            count.isWritten = true;
            return write;
        }
    }

    /** The series by key, in the order of their last events. */
    private final Map<Key, Series<T>> remembered = new LinkedHashMap<>(16, 0.75f, true);

    /** The series with a delayed message, so that they are found without a scan. */
    private final Map<Key, Series<T>> delayed = new LinkedHashMap<>();

    /** @return what to write now; it may be about another object, which is forgotten in favor of this one */
    synchronized List<Write<T>> record(Key key, String message, T context, Moment now) {
        var writes = new ArrayList<Write<T>>();
        Series<T> series = remembered.get(key);
        if (series == null) {
            series = new Series<>(now);
            remembered.put(key, series);
            forgetEldest(writes, now);
        }
        series.seen(message, now);
        var newest = new Newest<>(message, context);
        delayed.remove(key);
        series.delayed = null;
        if (series.isShown(message, now)) {
            return writes;
        }
        if (series.takeToken(now)) {
            writes.add(series.write(key, newest, now));
        } else {
            series.delayed = newest;
            delayed.put(key, series);
        }
        return writes;
    }

    /** Writes a delayed message early rather than losing it. */
    private void forgetEldest(List<Write<T>> writes, Moment now) {
        if (remembered.size() > MAX_REMEMBERED) {
            var eldest = remembered.entrySet().iterator().next();
            remembered.remove(eldest.getKey());
            delayed.remove(eldest.getKey());
            Series<T> series = eldest.getValue();
            if (series.delayed != null) {
                writes.add(series.write(eldest.getKey(), series.delayed, now));
            }
        }
    }

    /** The delayed messages that can be written now. */
    synchronized List<Write<T>> due(Moment now) {
        var writes = new ArrayList<Write<T>>();
        delayed.entrySet().removeIf(entry -> {
            Series<T> series = entry.getValue();
            if (!series.takeToken(now)) {
                return false;
            }
            writes.add(series.write(entry.getKey(), Objects.requireNonNull(series.delayed), now));
            return true;
        });
        return writes;
    }

    synchronized boolean hasDelayed() {
        return !delayed.isEmpty();
    }

    /**
     * Drops a delayed message that is no longer true.
     *
     * @return whether there was one
     */
    synchronized boolean withdraw(Key key) {
        Series<T> series = delayed.remove(key);
        if (series != null) {
            series.delayed = null;
        }
        return series != null;
    }

    /** Records that a write failed, so that the next event with the same message is written. */
    synchronized void failed(Write<T> write) {
        Series<T> series = remembered.get(write.key());
        if (series != null) {
            series.shown = null;
        }
    }
}
