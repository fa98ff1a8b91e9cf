package dev.fakegpu.util;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Converts times that the API stores, such as when a claim was allocated, to moments from which deadlines can be counted. Each time is
 * compared with the wall clock only once, when it is first asked for, so later changes of the clock have no effect. A time in the future
 * counts as now, so that no wait is longer than its full duration. Thread-safe.
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

    /** @param uid the UID of the object that has the time */
    public synchronized Moment momentOf(String uid, Instant stored) {
        Known known = byUid.get(uid);
        if (known == null || !known.stored().equals(stored)) {
            Duration age = Duration.between(stored, clock.instant());
            known = new Known(stored, ticker.now().minus(age.isNegative() ? Duration.ZERO : age));
            byUid.put(uid, known);
        }
        return known.moment();
    }

    /** Forgets the times of all other objects. */
    public synchronized void retain(Set<String> uids) {
        byUid.keySet().retainAll(uids);
    }

    public synchronized void forget(String uid) {
        byUid.remove(uid);
    }
}
