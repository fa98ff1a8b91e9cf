package dev.fakegpu.operator.schedule;

import dev.fakegpu.operator.schedule.cache.SchedulerCache;
import dev.fakegpu.operator.schedule.queue.QueueItem;
import dev.fakegpu.operator.schedule.queue.SchedulingQueue;
import dev.fakegpu.operator.schedule.report.ExplanationQueue;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/** The work of the scheduling thread between events: decisions, and explanations when no item is ready. */
final class DecisionLoop implements EventLoop.IdleTask {

    private static final Logger LOG = Logger.getLogger(DecisionLoop.class);

    /** Under constant load, one explanation gets a turn per interval, so that users still see why pods and claims are pending. */
    private static final Duration EXPLANATION_INTERVAL = Duration.ofMillis(100);

    private static final Duration MAX_WAIT = Duration.ofMinutes(1);

    private final SchedulerCache cache;
    private final SchedulingQueue queue;
    private final PendingPodIndex pendingPods;
    private final InFlightDecisions inFlight;
    private final ExplanationQueue explanations;
    private final Consumer<QueueItem> scheduleOne;
    private final Ticker ticker;
    private volatile Map<String, Integer> pending = Map.of();
    private volatile Set<String> busyNamespaces = Set.of();
    private long wokenAt;
    private Moment explainedAt = Moment.NEVER;

    /** @param scheduleOne schedules one pod or claim */
    DecisionLoop(
            SchedulerCache cache,
            SchedulingQueue queue,
            PendingPodIndex pendingPods,
            InFlightDecisions inFlight,
            ExplanationQueue explanations,
            Consumer<QueueItem> scheduleOne,
            Ticker ticker) {
        this.cache = cache;
        this.queue = queue;
        this.pendingPods = pendingPods;
        this.inFlight = inFlight;
        this.explanations = explanations;
        this.scheduleOne = scheduleOne;
        this.ticker = ticker;
    }

    /** Number of pods and claims by part of the queue. Thread-safe. */
    Map<String, Integer> pending() {
        return pending;
    }

    /** Number of pods and claims by the code of the last reported reason. Thread-safe. */
    Map<String, Integer> pendingByReason() {
        return explanations.countByCode();
    }

    /** The namespaces that recently used the most time of the scheduling thread, with their shares from 0 to 1. Thread-safe. */
    Map<String, Double> largestShares(int count) {
        return queue.shares().largest(count, ticker.now());
    }

    /** Whether an item of the namespace is ready to be scheduled. Thread-safe. */
    boolean isBusyWith(String namespace) {
        return busyNamespaces.contains(namespace);
    }

    @Override
    public boolean runOnce(BooleanSupplier eventsWait) {
        boolean hasMore = decideNext(eventsWait);
        busyNamespaces = Set.copyOf(queue.activeNamespaces());
        return hasMore;
    }

    private boolean decideNext(BooleanSupplier eventsWait) {
        cache.nextDue().filter(due -> !due.isAfter(ticker.now())).ifPresent(due -> cache.slicesChanged());
        if (cache.nominations().removeDue(ticker.now())) {
            cache.generations().changedEverywhere();
        }
        pendingPods.activateChangedGroups();
        cache.refresh();
        if (wokenAt != cache.generations().latest()) {
            wokenAt = cache.generations().latest();
            queue.wake(cache.generations());
        }
        var next = queue.poll(ticker.now(), inFlight::hasRoom);
        next.ifPresent(this::decide);
        pending = Map.of(
                "active", queue.activeCount(),
                "backoff", queue.backoffCount(),
                "unschedulable", queue.unschedulableCount());
        if (next.isEmpty() || explainedAt.plus(EXPLANATION_INTERVAL).isBefore(ticker.now())) {
            return explainNext(eventsWait) || next.isPresent();
        }
        return true;
    }

    private boolean explainNext(BooleanSupplier eventsWait) {
        Moment begun = ticker.now();
        Optional<QueueItem> explained = explanations.explainNext(
                queue.shares()::virtualTime, () -> queue.activeCount() > 0 || eventsWait.getAsBoolean());
        explained.ifPresent(item -> charge(item, begun));
        explainedAt = ticker.now();
        return explained.isPresent();
    }

    private void charge(QueueItem item, Moment begun) {
        Moment now = ticker.now();
        queue.shares().charge(item.namespace(), begun.until(now), now);
    }

    private void decide(QueueItem item) {
        Moment begun = ticker.now();
        try {
            scheduleOne.accept(item);
        } catch (RuntimeException | StackOverflowError e) {
            // This one object causes a stack overflow: it asks for more devices than the search can recurse into.
            LOG.errorf(e, "no decision is made about %s %s/%s", item.kind(), item.namespace(), item.name());
            queue.backOff(item.uid(), ticker.now());
        } finally {
            charge(item, begun);
        }
    }

    @Override
    public Duration maxWait() {
        return Stream.of(queue.nextDue(), cache.nextDue(), cache.nominations().nextDue())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .map(due -> ticker.until(due))
                .filter(wait -> wait.compareTo(MAX_WAIT) < 0)
                .map(wait -> wait.isNegative() ? Duration.ZERO : wait)
                .orElse(MAX_WAIT);
    }
}
