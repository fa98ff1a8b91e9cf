package dev.fakegpu.operator.explainer;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuProblems;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.cluster.pending.PodDemand;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Pods that a scheduler refused or has not tried, and claims that are neither allocated nor used. Calls back on each of them, and on
 * changes that may affect any of them. Thread-safe.
 */
final class PendingWatchlist {

    private record Name(String namespace, String name) {}

    private final ObjectStores cluster;
    private final Consumer<HasMetadata> arrived;
    private final Runnable changed;
    private final Set<Name> pods = ConcurrentHashMap.newKeySet();
    private final Set<Name> claims = ConcurrentHashMap.newKeySet();

    /**
     * @param arrived receives each new object, and pods again when they are refused
     * @param changed called on changes that may affect any of them
     */
    PendingWatchlist(ObjectStores cluster, Consumer<HasMetadata> arrived, Runnable changed) {
        this.cluster = cluster;
        this.arrived = arrived;
        this.changed = changed;
    }

    /** Starts listening, and handles existing objects as if they were new. */
    void register() {
        cluster.pods().addListener(this::podChanged);
        cluster.claims().addListener(this::claimChanged);
        cluster.slices().addListener((before, after) -> changedIfAnyPending());
        cluster.taintRules().addListener((before, after) -> changedIfAnyPending());
        cluster.deviceClasses().addListener((before, after) -> changedIfAnyPending());
        cluster.podGroups().addListener((before, after) -> changedIfAnyPending());
        cluster.namespaces().addListener((before, after) -> changedIfAnyPending());
        cluster.nodes().addListener((before, after) -> {
            if (before == null || after == null || !SchedulableNode.isSame(before, after)) {
                changedIfAnyPending();
            }
        });
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null || after == null || !isSame(before, after)) {
                changedIfAnyPending();
            }
        });
        cluster.pods().list().forEach(pod -> podChanged(null, pod));
        cluster.claims().list().forEach(claim -> claimChanged(null, claim));
    }

    /** Pods that a scheduler refused or has not tried. */
    List<Pod> pods() {
        return pods.stream()
                .flatMap(pod -> cluster.pods().get(pod.namespace(), pod.name()).stream())
                .filter(pod -> PodDemand.isRefused(pod) || isUnattended(pod))
                .toList();
    }

    /** Claims that are not allocated and that no pod names. */
    List<ResourceClaim> claims() {
        List<ResourceClaim> candidates = claims.stream()
                .flatMap(claim -> cluster.claims().get(claim.namespace(), claim.name()).stream())
                .filter(PendingWatchlist::isUnserved)
                .toList();
        if (candidates.isEmpty()) {
            return List.of();
        }
        Set<Name> used = cluster.pods().list().stream()
                .flatMap(pod -> PodClaims.names(pod).stream()
                        .map(name -> new Name(pod.getMetadata().getNamespace(), name)))
                .collect(Collectors.toSet());
        return candidates.stream().filter(claim -> !used.contains(name(claim))).toList();
    }

    private void podChanged(@Nullable Pod before, @Nullable Pod after) {
        Pod either = after == null ? Objects.requireNonNull(before) : after;
        if (after != null && (PodDemand.isRefused(after) || isUnattended(after))) {
            boolean isNewlyRefused = PodDemand.isRefused(after) && (before == null || !PodDemand.isRefused(before));
            if (pods.add(name(either)) || isNewlyRefused) {
                arrived.accept(after);
            } else {
                changed.run();
            }
        } else {
            removed(pods.remove(name(either)));
            if (occupiesNode(before) != occupiesNode(after) || isEnding(before) != isEnding(after)) {
                changedIfAnyPending();
            }
        }
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        ResourceClaim either = after == null ? Objects.requireNonNull(before) : after;
        if (after != null && isUnserved(after)) {
            if (claims.add(name(either))) {
                arrived.accept(after);
            } else {
                changed.run();
            }
        } else {
            removed(claims.remove(name(either)));
            if (isAllocated(before) != isAllocated(after)) {
                changedIfAnyPending();
            }
        }
    }

    /** Reports the removal of the last object, so that everything kept to explain it is forgotten. */
    private void removed(boolean wasPending) {
        if (wasPending && pods.isEmpty() && claims.isEmpty()) {
            changed.run();
        }
    }

    private void changedIfAnyPending() {
        if (!pods.isEmpty() || !claims.isEmpty()) {
            changed.run();
        }
    }

    /**
     * Whether a pod with claims has no condition from any scheduler, although any scheduler but the companion would set one. kube-scheduler
     * does not try pods whose claims do not exist.
     */
    static boolean isUnattended(Pod pod) {
        return PodDemand.isPending(pod)
                && !PodState.isOfCompanion(pod)
                && pod.getSpec().getSchedulingGates().isEmpty()
                && !pod.getSpec().getResourceClaims().isEmpty()
                && PodState.scheduled(pod).isEmpty();
    }

    private static boolean isUnserved(ResourceClaim claim) {
        return UnreadableFields.isReadable(claim)
                && claim.getMetadata().getDeletionTimestamp() == null
                && !Allocations.isAllocated(claim)
                && claim.getMetadata().getOwnerReferences().isEmpty();
    }

    private static boolean occupiesNode(@Nullable Pod pod) {
        return pod != null && PodState.isBound(pod) && !PodState.hasEnded(pod);
    }

    private static boolean isEnding(@Nullable Pod pod) {
        return pod != null && pod.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isAllocated(@Nullable ResourceClaim claim) {
        return claim != null && Allocations.isAllocated(claim);
    }

    private static boolean isSame(FakeGpu before, FakeGpu after) {
        return Objects.equals(
                        before.getMetadata().getGeneration(),
                        after.getMetadata().getGeneration())
                && FakeGpuProblems.of(before).equals(FakeGpuProblems.of(after));
    }

    private static Name name(HasMetadata object) {
        return new Name(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }
}
