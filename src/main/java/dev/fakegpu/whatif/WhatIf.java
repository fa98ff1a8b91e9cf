package dev.fakegpu.whatif;

import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.cel.Selectors;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.snapshot.ClusterObjects;
import dev.fakegpu.snapshot.ClusterSnapshot;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What changes would lead to.
 *
 * @param tried new and evicted pods and new claims, in the order in which they were tried: highest priority first, new ones before evicted
 *     ones
 * @param refused pending pods that fit before, each by itself, and do not after what was tried is placed
 * @param helped pending pods that do not fit before, and do after
 */
public record WhatIf(List<Attempt> tried, List<Attempt> refused, List<Attempt> helped) {

    public WhatIf {
        tried = List.copyOf(tried);
        refused = List.copyOf(refused);
        helped = List.copyOf(helped);
    }

    /**
     * Tries changes.
     *
     * @param before the cluster as it is
     * @param gate how schedulers treat compatibility groups
     */
    public static WhatIf of(ClusterObjects before, ChangedCluster changed, GroupsGate gate) {
        var selectors = new Selectors();
        ClusterSnapshot snapshot = changed.snapshot();
        var after = new Trial(snapshot, gate, selectors);
        List<Attempt> tried = tried(changed, snapshot, after);
        var unchanged = new ClusterSnapshot(before);
        var now = new Trial(unchanged, gate, selectors);
        Set<String> triedPods = new HashSet<>();
        Stream.concat(changed.added().stream(), changed.evicted().stream())
                .forEach(pod -> triedPods.add(pod.getMetadata().getUid()));
        var refused = new ArrayList<Attempt>();
        var helped = new ArrayList<Attempt>();
        for (Pod pod : snapshot.objects().pods()) {
            if (!isPending(pod) || triedPods.contains(pod.getMetadata().getUid())) {
                continue;
            }
            boolean fitted = now.tryOut(pod, Attempt.Why.PENDING).isPlaced();
            Attempt then = after.tryOut(pod, Attempt.Why.PENDING);
            if (fitted != then.isPlaced()) {
                (fitted ? refused : helped).add(then);
            }
        }
        return new WhatIf(tried, refused, helped);
    }

    private static List<Attempt> tried(ChangedCluster changed, ClusterSnapshot snapshot, Trial after) {
        var tried = new ArrayList<Attempt>();
        Comparator<Pod> byPriority = Comparator.comparing(
                pod -> Objects.requireNonNullElse(pod.getSpec().getPriority(), 0), Comparator.reverseOrder());
        Set<String> used = new HashSet<>();
        Stream.concat(changed.added().stream(), changed.evicted().stream())
                .sorted(byPriority)
                .forEach(pod -> {
                    snapshot.podClaims(pod)
                            .claims()
                            .forEach(claim -> used.add(claim.getMetadata().getUid()));
                    tried.add(
                            after.place(pod, changed.evicted().contains(pod) ? Attempt.Why.EVICTED : Attempt.Why.NEW));
                });
        for (ResourceClaim claim : changed.addedClaims()) {
            if (!used.contains(claim.getMetadata().getUid())) {
                tried.add(after.place(claim));
            }
        }
        return tried;
    }

    private static boolean isPending(Pod pod) {
        return !PodState.isBound(pod)
                && !PodState.hasEnded(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty();
    }

    /** Whether everything that was tried is placed, and nobody refused because of it. */
    public boolean isHarmless() {
        return refused.isEmpty() && tried.stream().allMatch(Attempt::isPlaced);
    }
}
