package dev.fakegpu.cluster.fit;

import dev.fakegpu.dra.ClaimConsumer;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.dra.wire.DeviceStatuses;
import dev.fakegpu.engine.explain.finding.ClaimUse;
import dev.fakegpu.engine.explain.finding.ClaimUsers;
import dev.fakegpu.kube.watch.ObjectLookup;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds the pods that use a claim, and what delays its release if they are terminating. */
public final class ClaimUses {

    private static final int MAX_PROBLEM = 200;

    private ClaimUses() {}

    /** Returns the users of claims according to the given claims and pods. */
    public static ClaimUsers in(ObjectLookup<ResourceClaim> claims, ObjectLookup<Pod> pods) {
        return claim -> claims.get(claim.namespace(), claim.name())
                .filter(stored -> stored.getMetadata().getUid().equals(claim.uid()))
                .map(stored -> of(stored, pod -> pods.get(claim.namespace(), pod)))
                .orElse(ClaimUse.UNKNOWN);
    }

    /** @param pods finds a pod in the namespace of the claim */
    static ClaimUse of(ResourceClaim claim, Function<String, Optional<Pod>> pods) {
        if (claim.getStatus() == null || !Allocations.isAllocated(claim)) {
            return ClaimUse.UNKNOWN;
        }
        List<Pod> users = ClaimConsumers.pods(claim)
                .flatMap(
                        consumer -> pods
                                .apply(consumer.getName())
                                .filter(pod -> pod.getMetadata().getUid().equals(consumer.getUid()))
                                .stream())
                .toList();
        List<String> names =
                users.stream().map(pod -> pod.getMetadata().getName()).toList();
        if (claim.getStatus().getReservedFor().isEmpty()) {
            return isBeingDeleted(claim) ? new ClaimUse(List.of(), List.of(), "being deleted", null) : ClaimUse.UNUSED;
        }
        List<ClaimConsumer> others = ClaimConsumers.others(claim);
        boolean isEnding =
                others.isEmpty() && !users.isEmpty() && users.stream().allMatch(ClaimUses::isEnding);
        return isEnding
                ? new ClaimUse(names, others, state(users) + obstacle(claim, users), problem(claim))
                : new ClaimUse(names, others, null, null);
    }

    private static boolean isBeingDeleted(ResourceClaim claim) {
        return claim.getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean isEnding(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() != null || PodState.hasEnded(pod);
    }

    private static String state(List<Pod> users) {
        return users.stream().allMatch(PodState::hasEnded) ? "ended" : "being deleted";
    }

    /** What delays the termination of the pods: a foreign finalizer, or a node that has to unprepare devices. */
    private static String obstacle(ResourceClaim claim, List<Pod> users) {
        Optional<String> finalizer = users.stream()
                .flatMap(pod -> pod.getMetadata().getFinalizers().stream())
                .findFirst();
        if (finalizer.isPresent()) {
            return ", which waits for finalizer \"" + finalizer.get() + '"';
        }
        boolean isPrepared = Allocations.results(claim).stream()
                .map(Allocations::device)
                .anyMatch(device -> DeviceStatuses.isPrepared(claim, device));
        return users.stream()
                .filter(PodState::isBound)
                .findFirst()
                .filter(pod -> isPrepared)
                .map(pod -> ": " + pod.getSpec().getNodeName() + " has not unprepared its devices yet")
                .orElse("");
    }

    private static @Nullable String problem(ResourceClaim claim) {
        return Allocations.results(claim).stream()
                .flatMap(result -> DeviceStatuses.unprepareProblem(claim, Allocations.device(result)).stream())
                .findFirst()
                .map(problem -> SafeText.of(problem, MAX_PROBLEM))
                .orElse(null);
    }
}
