package dev.fakegpu.operator.publish;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Determines when to reconcile a FakeGpu again whose surplus nodes wait for their pods to terminate. Most pods terminate soon, but a pod
 * with a foreign finalizer may never do so; hence the growing intervals.
 */
final class TerminationChecks {

    static final Duration FIRST = Duration.ofMillis(200);
    static final Duration MAX = Duration.ofMinutes(1);

    private final Ticker ticker;

    /** By UID, the time since when the FakeGpu has had such nodes. */
    private final Map<String, Moment> since = new ConcurrentHashMap<>();

    TerminationChecks(Ticker ticker) {
        this.ticker = ticker;
    }

    /** Returns a delay as long as the wait so far. */
    Optional<Duration> next(String uid, boolean terminating) {
        if (!terminating) {
            forget(uid);
            return Optional.empty();
        }
        Duration waited = ticker.since(since.computeIfAbsent(uid, ignored -> ticker.now()));
        Duration atLeastFirst = waited.compareTo(FIRST) < 0 ? FIRST : waited;
        return Optional.of(atLeastFirst.compareTo(MAX) < 0 ? atLeastFirst : MAX);
    }

    void forget(String uid) {
        since.remove(uid);
    }
}
