package dev.fakegpu.prepare;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** When a pod whose preparation failed is tried again: after 1 s, 2 s, 4 s … 60 s, or at once when something was given back. */
final class PreparationBackoff {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private record Failure(Duration delay, Instant notBefore) {}

    private final Clock clock;
    private final Map<String, Failure> failures = new HashMap<>();

    PreparationBackoff(Clock clock) {
        this.clock = clock;
    }

    synchronized boolean isDue(String uid) {
        var failure = failures.get(uid);
        return failure == null || !clock.instant().isBefore(failure.notBefore());
    }

    /** @return how long to wait */
    synchronized Duration failed(String uid) {
        var before = failures.get(uid);
        var delay = before == null ? FIRST : before.delay().multipliedBy(2);
        delay = delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
        failures.put(uid, new Failure(delay, clock.instant().plus(delay)));
        return delay;
    }

    /** Everybody may try now; how long they wait after the next failure stays. */
    synchronized void allDue() {
        failures.replaceAll((uid, failure) -> new Failure(failure.delay(), clock.instant()));
    }

    synchronized void retain(Set<String> uids) {
        failures.keySet().retainAll(uids);
    }
}
