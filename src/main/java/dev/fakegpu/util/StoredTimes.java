package dev.fakegpu.util;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The moments of times that the API stores, such as when a claim was allocated, so that deadlines can be counted from them. A time is compared
 * with the wall clock once, when it is first asked for; whatever the clock does afterward changes nothing. A time in the future counts as now,
 * so that nothing waits longer than it would from the beginning. Thread-safe.
 */
public final class StoredTimes {

    private record Known(Instant stored, Moment moment) {}

    private final Clock clock;
    private final Ticker ticker;
    private final Map<String, Known> byUid = new HashMap<>();

    public StoredTimes(Clock clock, Ticker ticker) {
        this.clock = clock;
        this.ticker = ticker;
    }

    /** @param uid of the object that has the time */
    public synchronized Moment momentOf(String uid, Instant stored) {
        Known known = byUid.get(uid);
        if (known == null || !known.stored().equals(stored)) {
            Duration age = Duration.between(stored, clock.instant());
            known = new Known(stored, ticker.now().minus(age.isNegative() ? Duration.ZERO : age));
            byUid.put(uid, known);
        }
        return known.moment();
    }

    /** Forgets all other objects. */
    public synchronized void retain(Set<String> uids) {
        byUid.keySet().retainAll(uids);
    }

    public synchronized void forget(String uid) {
        byUid.remove(uid);
    }
}
