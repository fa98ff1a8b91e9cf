package dev.fakegpu.operator.publish;

import dev.fakegpu.util.CoalescingWorker;
import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes on the first of many events about a FakeGpu immediately, and merges those that follow within an interval into one at its end.
 * Without it, pods that are scheduled one after the other would reconcile their FakeGpu again and again, and each reconciliation takes
 * longer the more nodes the FakeGpu has. Thread-safe.
 *
 * @param <T> the type that identifies a FakeGpu
 */
final class EventThrottle<T> implements Consumer<T> {

    private final Consumer<T> receiver;
    private final Duration interval;
    private final Ticker ticker;
    private final CoalescingWorker worker = new CoalescingWorker("publisher-events", this::passHeld);
    private final Map<T, Moment> passedAt = new HashMap<>();
    private final Set<T> held = new HashSet<>();

    EventThrottle(Consumer<T> receiver, Duration interval, Ticker ticker) {
        this.receiver = receiver;
        this.interval = interval;
        this.ticker = ticker;
    }

    @Override
    public synchronized void accept(T event) {
        Moment now = ticker.now();
        Moment next = passedAt.getOrDefault(event, Moment.NEVER).plus(interval);
        if (!next.isAfter(now)) {
            pass(event, now);
        } else if (held.add(event)) {
            worker.requestIn(now.until(next));
        }
    }

    private synchronized void passHeld() {
        Moment now = ticker.now();
        held.forEach(event -> pass(event, now));
        held.clear();
        passedAt.values().removeIf(at -> at.plus(interval).isBefore(now)); // FakeGpus that no longer exist
    }

    private void pass(T event, Moment now) {
        passedAt.put(event, now);
        receiver.accept(event);
    }
}
