package dev.fakegpu.operator.kubelet;

import dev.fakegpu.util.Moment;
import dev.fakegpu.util.YieldPolicy;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Delays the start of each pod as long as the yield policy requires. Not thread-safe. */
final class StartDelay {

    private final YieldPolicy policy;
    private final Map<String, Moment> deadlineByUid = new HashMap<>();

    StartDelay(YieldPolicy policy) {
        this.policy = policy;
    }

    /** Whether the pod starts later. The first call for a pod sets its deadline. */
    boolean delays(Pod pod) {
        Moment deadline = deadlineByUid.computeIfAbsent(pod.getMetadata().getUid(), uid -> policy.deadline());
        return policy.yieldsUntil(deadline, pod.getMetadata().getNamespace());
    }

    /** Forgets all other pods. */
    void retain(Set<String> uids) {
        deadlineByUid.keySet().retainAll(uids);
    }
}
