package dev.fakegpu.engine.preemption;

import dev.fakegpu.dra.ClaimRef;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * What goes or stays as a whole: a pod, or the pods of a PodGroup whose disruption mode is {@code All}.
 *
 * @param priority of the PodGroup, or else of the pod
 * @param isOfGroup whether it is, or belongs to, a PodGroup
 */
public record Victim(int priority, boolean isOfGroup, List<Member> pods) {

    /** The most important first. Upstream: {@code MoreImportantVictim} in {@code pkg/scheduler/framework/preemption}. */
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
     * @param priority its own
     * @param started {@link Instant#MAX} if it has not
     * @param claims that it uses
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
