package dev.fakegpu.cluster.whatif;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.QueuePosition.Waiting;
import dev.fakegpu.cluster.snapshot.Assumptions;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.engine.cel.Selectors;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What changes would lead to.
 *
 * @param tried new and evicted pods and new claims, in the order in which they were tried: highest priority first, new ones before evicted
 *     ones
 * @param refused pending pods that fit before, each by itself, and do not after what was tried is placed
 * @param helped pending pods that do not fit before, and do after, all of them together
 * @param assumed what had to be assumed about the schedulers that would decide
 * @param after the cluster with the changes and with what was placed, except for claims that schedulers make for extended resources
 */
public record WhatIf(
        List<Attempt> tried,
        List<Attempt> refused,
        List<Attempt> helped,
        List<Assumptions> assumed,
        ClusterObjects after) {

    public WhatIf {
        tried = List.copyOf(tried);
        refused = List.copyOf(refused);
        helped = List.copyOf(helped);
        assumed = List.copyOf(assumed);
    }

    /**
     * Tries changes.
     *
     * @param before the cluster as it is
     * @param gate how to find out how schedulers treat compatibility groups
     */
    public static WhatIf of(ClusterObjects before, ChangedCluster changed, GateSources gate) {
        var selectors = new Selectors();
        ClusterSnapshot snapshot = changed.snapshot();
        var after = new Trial(snapshot, gate, selectors);
        List<Attempt> tried = tried(changed, snapshot, after);
        var unchanged = new ClusterSnapshot(before);
        var now = new Trial(unchanged, gate, selectors);
        Set<String> triedPods = new HashSet<>();
        toPlace(changed).forEach(pod -> triedPods.add(pod.getMetadata().getUid()));
        List<Pod> pending = snapshot.objects().pods().stream()
                .filter(pod ->
                        isPending(pod) && !triedPods.contains(pod.getMetadata().getUid()))
                .sorted(Comparator.comparing(Waiting::of))
                .toList();
        Predicate<Pod> fitted = pod -> now.tryOut(pod, Attempt.Why.PENDING).isPlaced();
        Map<Boolean, List<Pod>> byNow = pending.stream().collect(Collectors.partitioningBy(fitted));
        List<Attempt> refused = byNow.getOrDefault(true, List.of()).stream()
                .map(pod -> after.tryOut(pod, Attempt.Why.PENDING))
                .filter(attempt -> !attempt.isPlaced())
                .toList();
        Set<String> unfit = byNow.getOrDefault(false, List.of()).stream()
                .map(pod -> pod.getMetadata().getUid())
                .collect(Collectors.toSet());
        List<Attempt> helped = helped(pending, unfit, after);
        return new WhatIf(tried, refused, helped, after.assumed(), after.objects());
    }

    /** Whoever is before others of the queue takes devices from them. */
    private static List<Attempt> helped(List<Pod> pending, Set<String> unfit, Trial after) {
        var helped = new ArrayList<Attempt>();
        for (Pod pod : pending) {
            Attempt attempt = after.place(pod, Attempt.Why.PENDING);
            if (unfit.contains(pod.getMetadata().getUid()) && attempt.isPlaced()) {
                helped.add(attempt);
            }
        }
        return helped;
    }

    private static List<Attempt> tried(ChangedCluster changed, ClusterSnapshot snapshot, Trial after) {
        var tried = new ArrayList<Attempt>();
        Comparator<Pod> byPriority = Comparator.comparing(
                pod -> Objects.requireNonNullElse(pod.getSpec().getPriority(), 0), Comparator.reverseOrder());
        Set<String> used = new HashSet<>();
        toPlace(changed).sorted(byPriority).forEach(pod -> {
            snapshot.podClaims(pod)
                    .claims()
                    .forEach(claim -> used.add(claim.getMetadata().getUid()));
            tried.add(after.place(pod, why(pod, changed)));
        });
        for (ResourceClaim claim : changed.addedClaims()) {
            if (!used.contains(claim.getMetadata().getUid())) {
                tried.add(after.place(claim));
            }
        }
        return tried;
    }

    private static Stream<Pod> toPlace(ChangedCluster changed) {
        return Stream.of(changed.added(), changed.evicted(), changed.pending()).flatMap(List::stream);
    }

    private static Attempt.Why why(Pod pod, ChangedCluster changed) {
        if (changed.pending().contains(pod)) {
            return Attempt.Why.PENDING;
        }
        return changed.evicted().contains(pod) ? Attempt.Why.EVICTED : Attempt.Why.NEW;
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
