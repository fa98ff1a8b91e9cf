package dev.fakegpu.explainer;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.client.UnreadableFields;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pods that a scheduler refused, and claims that are neither allocated nor used. Calls back on each of them, and on changes that may matter
 * for one of them. Thread-safe.
 */
final class PendingWatchlist {

    private record Name(String namespace, String name) {}

    private final ClusterWatch cluster;
    private final Consumer<String> arrived;
    private final Runnable changed;
    private final Set<Name> pods = ConcurrentHashMap.newKeySet();
    private final Set<Name> claims = ConcurrentHashMap.newKeySet();

    /**
     * @param arrived receives the UID of each new one
     * @param changed is called on changes that may matter for one of them
     */
    PendingWatchlist(ClusterWatch cluster, Consumer<String> arrived, Runnable changed) {
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
        cluster.namespaces().addListener((before, after) -> changedIfAnyPending());
        cluster.nodes().addListener((before, after) -> {
            if (before == null || after == null || !SchedulableNode.isSame(before, after)) {
                changedIfAnyPending();
            }
        });
        cluster.fakeGpus().addListener((before, after) -> {
            if (before == null || after == null || !isSameSpec(before, after)) {
                changedIfAnyPending();
            }
        });
        cluster.pods().list().forEach(pod -> podChanged(null, pod));
        cluster.claims().list().forEach(claim -> claimChanged(null, claim));
    }

    /** Pods that a scheduler refused. */
    Stream<Pod> pods() {
        return pods.stream()
                .flatMap(pod -> cluster.pods().get(pod.namespace(), pod.name()).stream())
                .filter(PendingWatchlist::isRefused);
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
        if (after != null && isRefused(after)) {
            if (pods.add(name(either))) {
                arrived.accept(after.getMetadata().getUid());
            } else {
                changed.run();
            }
        } else {
            pods.remove(name(either));
            if (occupiesNode(before) != occupiesNode(after)) {
                changedIfAnyPending();
            }
        }
    }

    private void claimChanged(@Nullable ResourceClaim before, @Nullable ResourceClaim after) {
        ResourceClaim either = after == null ? Objects.requireNonNull(before) : after;
        if (after != null && isUnserved(after)) {
            if (claims.add(name(either))) {
                arrived.accept(after.getMetadata().getUid());
            } else {
                changed.run();
            }
        } else {
            claims.remove(name(either));
            if (isAllocated(before) != isAllocated(after)) {
                changedIfAnyPending();
            }
        }
    }

    private void changedIfAnyPending() {
        if (!pods.isEmpty() || !claims.isEmpty()) {
            changed.run();
        }
    }

    private static boolean isRefused(Pod pod) {
        return UnreadableFields.isReadable(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && !PodState.isBound(pod)
                && !PodState.hasEnded(pod)
                && pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("PodScheduled")
                                && condition.getStatus().equals("False")
                                && "Unschedulable".equals(condition.getReason()));
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

    private static boolean isAllocated(@Nullable ResourceClaim claim) {
        return claim != null && Allocations.isAllocated(claim);
    }

    private static boolean isSameSpec(FakeGpu before, FakeGpu after) {
        return Objects.equals(
                before.getMetadata().getGeneration(), after.getMetadata().getGeneration());
    }

    private static Name name(HasMetadata object) {
        return new Name(
                object.getMetadata().getNamespace(), object.getMetadata().getName());
    }
}
