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
 * When pods were attempted, and so whose turn it is, as in kube-scheduler's queue: by priority, and then by the time since when they wait for an
 * attempt. One that is worth an attempt again soon after its last ones comes after those that are not backing off. It need not wait if
 * nothing else does, which is {@code SchedulerPopFromBackoffQ}. Upstream: {@code pkg/scheduler/backend/queue/backoff_queue.go}, {@code plugins/queuesort}. Not
 * thread-safe.
 */
final class PodAttempts {

    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    /**
     * The attempts of one pod.
     *
     * @param failed how many
     * @param since when it was queued, or its last attempt ended
     * @param number of that attempt among all, since several end at once where time is virtual; 0 if there was none
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

    /** The order of items that are not backing off, all of which were {@link #added}. */
    Comparator<QueueItem> order() {
        return Comparator.comparingInt(QueueItem::priority)
                .reversed()
                .thenComparing(this::of, Attempts.ORDER)
                .thenComparing(Comparator.naturalOrder());
    }

    /** An item that is new or changed. */
    void added(QueueItem item) {
        byUid.computeIfAbsent(item.uid(), ignored -> new Attempts(0, ticker.now(), 0));
    }

    /** An attempt ended; the item is in neither part of the queue. */
    void failed(QueueItem item) {
        byUid.put(item.uid(), new Attempts(of(item).failed() + 1, ticker.now(), ++numbers));
    }

    void forget(QueueItem item) {
        backoff.remove(item);
        byUid.remove(item.uid());
    }

    /** In the second in which it ends, it is still backing off. */
    boolean isBackingOff(QueueItem item) {
        return !of(item).expiry().isBefore(ticker.now().wholeSecond());
    }

    /** The item comes after those that are not backing off. */
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

    /** Takes the first one that is not backing off any more. */
    Optional<QueueItem> pollCompleted() {
        return Optional.ofNullable(backoff.isEmpty() || isBackingOff(backoff.first()) ? null : backoff.pollFirst());
    }

    /** Takes the one whose back-off ends first. */
    Optional<QueueItem> poll(Predicate<String> hasRoom) {
        Optional<QueueItem> first =
                backoff.stream().filter(item -> hasRoom.test(item.namespace())).findFirst();
        first.ifPresent(backoff::remove);
        return first;
    }
}
