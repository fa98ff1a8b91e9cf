package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.ClaimRef;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * A unit that is evicted or stays as a whole: a pod, or the pods of a PodGroup whose disruption mode is {@code All}.
 *
 * @param priority the priority of the PodGroup, or otherwise of the pod
 * @param isOfGroup whether the victim is a PodGroup or belongs to one
 */
public record Victim(int priority, boolean isOfGroup, List<Member> pods) {

    /** Sorts the most important victim first. Upstream: {@code MoreImportantVictim} in {@code pkg/scheduler/framework/preemption}. */
    static final Comparator<Victim> BY_IMPORTANCE = Comparator.comparingInt(Victim::priority)
            .reversed()
            .thenComparing(victim -> !victim.isOfGroup())
            .thenComparing(victim -> -victim.pods().size())
            .thenComparing(Victim::earliestStart);

    public Victim {
        pods = List.copyOf(pods);
    }

    /**
     * A pod.
     *
     * @param priority the pod's own priority
     * @param started {@link Instant#MAX} if the pod has not started
     * @param claims the claims that it uses
     */
    public record Member(String uid, int priority, Instant started, Set<ClaimRef> claims) {
        public Member {
            claims = Set.copyOf(claims);
        }
    }

    private Instant earliestStart() {
        return pods.stream().map(Member::started).min(Comparator.naturalOrder()).orElse(Instant.MAX);
    }
}
