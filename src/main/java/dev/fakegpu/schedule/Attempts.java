package dev.fakegpu.schedule;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Which waiting objects need not be tried again yet, because neither they nor anything that could help them changed since the
 * last attempt. Without this every event in the cluster would try every waiting claim again.
 */
final class Attempts {

    /** @param version what the object itself looked like; {@code change} is what the cluster looked like */
    private record Attempt(String version, long change) {}

    private final AtomicLong helpfulChanges = new AtomicLong();
    private final Map<String, Attempt> failed = new HashMap<>();

    /** Something happened that could let a waiting claim in: a device became free, a slice, class or node came or changed. */
    void helpfulChange() {
        helpfulChanges.incrementAndGet();
    }

    /** Read before an attempt and handed back with its failure, so that a change during the attempt is not missed. */
    long now() {
        return helpfulChanges.get();
    }

    boolean isWorthwhile(String uid, String version) {
        return !new Attempt(version, now()).equals(failed.get(uid));
    }

    void failed(String uid, String version, long startedAt) {
        failed.put(uid, new Attempt(version, startedAt));
    }

    /** Forgets what no longer waits. */
    void retain(Set<String> uids) {
        failed.keySet().retainAll(uids);
    }
}
