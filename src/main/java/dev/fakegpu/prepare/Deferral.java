package dev.fakegpu.prepare;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Lets pods start later while something more urgent goes on in this process, but none by more than {@link #LONGEST}. */
final class Deferral {

    static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final BooleanSupplier urgent;
    private final Clock clock;
    private final Map<String, Instant> askedFirst = new HashMap<>();

    Deferral(BooleanSupplier urgent, Clock clock) {
        this.urgent = urgent;
        this.clock = clock;
    }

    boolean defers(String uid) {
        Instant now = clock.instant();
        Instant latest = askedFirst.computeIfAbsent(uid, key -> now).plus(LONGEST);
        return urgent.getAsBoolean() && now.isBefore(latest);
    }

    void retain(Set<String> uids) {
        askedFirst.keySet().retainAll(uids);
    }
}
