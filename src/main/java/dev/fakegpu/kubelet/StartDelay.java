package dev.fakegpu.kubelet;

import dev.fakegpu.util.YieldPolicy;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Delays the start of each pod as long as the yield policy requires. Not thread-safe. */
final class StartDelay {

    private final YieldPolicy policy;
    private final Map<String, Instant> deadlineByUid = new HashMap<>();

    StartDelay(YieldPolicy policy) {
        this.policy = policy;
    }

    /** Whether the pod starts later. The first call for a pod sets its deadline. */
    boolean delays(String uid) {
        return policy.yieldsUntil(deadlineByUid.computeIfAbsent(uid, key -> policy.deadline()));
    }

    /** Forgets all other pods. */
    void retain(Set<String> uids) {
        deadlineByUid.keySet().retainAll(uids);
    }
}
