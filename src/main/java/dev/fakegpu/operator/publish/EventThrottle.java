package dev.fakegpu.operator.publish;

import dev.fakegpu.util.CoalescingWorker;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes on the first of many events about a FakeGpu at once, and those that follow within an interval as one, at its end. Without it,
 * pods that are scheduled one after the other have their FakeGpu reconciled again and again, which takes longer the more nodes it has.
 * Thread-safe.
 *
 * @param <T> identifies a FakeGpu
 */
final class EventThrottle<T> implements Consumer<T> {

    private final Consumer<T> receiver;
    private final Duration interval;
    private final Clock clock;
    private final CoalescingWorker worker = new CoalescingWorker("publisher-events", this::passHeld);
    private final Map<T, Instant> passedAt = new HashMap<>();
    private final Set<T> held = new HashSet<>();

    EventThrottle(Consumer<T> receiver, Duration interval, Clock clock) {
        this.receiver = receiver;
        this.interval = interval;
        this.clock = clock;
    }

    @Override
    public synchronized void accept(T event) {
        Instant now = clock.instant();
        Duration since = Duration.between(passedAt.getOrDefault(event, Instant.EPOCH), now);
        // It is negative if the clock was set back.
        if (since.isNegative() || since.compareTo(interval) >= 0) {
            pass(event, now);
        } else if (held.add(event)) {
            worker.requestIn(interval.minus(since));
        }
    }

    private synchronized void passHeld() {
        Instant now = clock.instant();
        held.forEach(event -> pass(event, now));
        held.clear();
        passedAt.values().removeIf(at -> at.plus(interval).isBefore(now)); // FakeGpus that are gone
    }

    private void pass(T event, Instant now) {
        passedAt.put(event, now);
        receiver.accept(event);
    }
}
