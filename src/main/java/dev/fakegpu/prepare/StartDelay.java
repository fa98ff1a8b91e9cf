package dev.fakegpu.prepare;

import dev.fakegpu.watch.DecisionPriority;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Pods that start later, because something else has precedence. */
final class StartDelay {

    private final DecisionPriority precedence;
    private final Map<String, Instant> latestByUid = new HashMap<>();

    StartDelay(DecisionPriority precedence) {
        this.precedence = precedence;
    }

    boolean defers(String uid) {
        return precedence.delays(latestByUid.computeIfAbsent(uid, key -> precedence.latest()));
    }

    void retain(Set<String> uids) {
        latestByUid.keySet().retainAll(uids);
    }
}
