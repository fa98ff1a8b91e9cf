package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Tracks the attempts of pods and determines whose turn it is, as kube-scheduler's queue does: by priority, then by the time of waiting for
 * an attempt. A pod that is retried soon after failed attempts is in back-off, and comes after pods that are not. If no other pod is
 * waiting, it is tried without waiting for the back-off to end, as with {@code SchedulerPopFromBackoffQ}. Upstream: {@code
 * pkg/scheduler/backend/queue/backoff_queue.go}, {@code plugins/queuesort}. Not thread-safe.
 */
final class PodAttempts {

    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    /**
     * The attempts of one pod.
     *
     * @param failed the number of failed attempts
     * @param since when it was queued or its last attempt ended
     * @param number the sequence number of that attempt among all attempts, since several can end at the same virtual time; 0 if there was
     *     none
     */
    private record Attempts(int failed, Moment since, long number) {

        private static final Comparator<Attempts> ORDER =
                Comparator.comparing(Attempts::since).thenComparingLong(Attempts::number);

        /** The beginning of the second in which the back-off ends. */
        Moment expiry() {
            return failed == 0
                    ? Moment.NEVER
                    : since.plus(BACKOFF.after(failed)).wholeSecond();
        }
    }

    private final Ticker ticker;
    private final Map<String, Attempts> byUid = new HashMap<>();
    private final NavigableSet<QueueItem> backoff = new TreeSet<>(
            Comparator.comparing((QueueItem item) -> of(item).expiry()).thenComparing(order()));
    private long numbers;

    PodAttempts(Ticker ticker) {
        this.ticker = ticker;
    }

    private Attempts of(QueueItem item) {
        return Objects.requireNonNull(byUid.get(item.uid()));
    }

    /** The order of items that are not in back-off and were {@link #added}. */
    Comparator<QueueItem> order() {
        return Comparator.comparingInt(QueueItem::priority)
                .reversed()
                .thenComparing(this::of, Attempts.ORDER)
                .thenComparing(Comparator.naturalOrder());
    }

    /** Records that an item is new or changed. */
    void added(QueueItem item) {
        byUid.computeIfAbsent(item.uid(), ignored -> new Attempts(0, ticker.now(), 0));
    }

    /** Records that an attempt failed; the item is in neither part of the queue. */
    void failed(QueueItem item) {
        byUid.put(item.uid(), new Attempts(of(item).failed() + 1, ticker.now(), ++numbers));
    }

    void forget(QueueItem item) {
        backoff.remove(item);
        byUid.remove(item.uid());
    }

    /** Whether the item is in back-off, which includes the second in which the back-off ends. */
    boolean isBackingOff(QueueItem item) {
        return !of(item).expiry().isBefore(ticker.now().wholeSecond());
    }

    /** Puts the item into back-off. */
    void backOff(QueueItem item) {
        backoff.add(item);
    }

    void leave(QueueItem item) {
        backoff.remove(item);
    }

    boolean contains(QueueItem item) {
        return backoff.contains(item);
    }

    int size() {
        return backoff.size();
    }

    /** Takes the first item whose back-off is over. */
    Optional<QueueItem> pollCompleted() {
        return Optional.ofNullable(backoff.isEmpty() || isBackingOff(backoff.first()) ? null : backoff.pollFirst());
    }

    /** Takes the item whose back-off ends first. */
    Optional<QueueItem> poll(Predicate<String> hasRoom) {
        Optional<QueueItem> first =
                backoff.stream().filter(item -> hasRoom.test(item.namespace())).findFirst();
        first.ifPresent(backoff::remove);
        return first;
    }
}
