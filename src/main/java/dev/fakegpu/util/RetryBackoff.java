package dev.fakegpu.util;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Decides when an operation that failed for an object, such as the preparation of a pod or the write of a status, is retried: after 1 s, 2
 * s, 4 s and so on up to 60 s, without end, or as soon as a change may have fixed the cause. Thread-safe.
 */
public final class RetryBackoff {

    private static final Duration INITIAL = Duration.ofSeconds(1);
    private static final Duration MAX = Duration.ofSeconds(60);

    private record Failure(Duration delay, Moment notBefore) {}

    private final Ticker ticker;
    private final Map<String, Failure> failureByUid = new HashMap<>();

    public RetryBackoff(Ticker ticker) {
        this.ticker = ticker;
    }

    public synchronized boolean isDue(String uid) {
        var failure = failureByUid.get(uid);
        return failure == null || !ticker.now().isBefore(failure.notBefore());
    }

    /** @return the time until the next attempt */
    public synchronized Duration failed(String uid) {
        var previous = failureByUid.get(uid);
        var delay = previous == null ? INITIAL : previous.delay().multipliedBy(2);
        delay = delay.compareTo(MAX) > 0 ? MAX : delay;
        failureByUid.put(uid, new Failure(delay, ticker.now().plus(delay)));
        return delay;
    }

    /** Makes all retries due now. The delay after the next failure is as long as it would have been without this. */
    public synchronized void retryAllNow() {
        failureByUid.replaceAll((uid, failure) -> new Failure(failure.delay(), ticker.now()));
    }

    /** Forgets all other objects. */
    public synchronized void retain(Set<String> uids) {
        failureByUid.keySet().retainAll(uids);
    }
}
