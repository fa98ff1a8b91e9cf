package dev.fakegpu.operator.publish;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When a FakeGpu is reconciled again whose surplus nodes wait for the end of their pods. Most end at once; one with a finalizer of somebody
 * else may never end, so the checks become rarer.
 */
final class TerminationChecks {

    static final Duration FIRST = Duration.ofMillis(200);
    static final Duration MAX = Duration.ofMinutes(1);

    private final Ticker ticker;

    /** By UID, since when there have been such nodes. */
    private final Map<String, Moment> since = new ConcurrentHashMap<>();

    TerminationChecks(Ticker ticker) {
        this.ticker = ticker;
    }

    /** After as long as it has been waiting already. */
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
