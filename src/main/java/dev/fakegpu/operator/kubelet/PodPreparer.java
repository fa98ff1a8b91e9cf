package dev.fakegpu.operator.kubelet;

import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.dra.wire.ClaimConsumers;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Handles the claims of one pod as the kubelet does: checks that the pod may use them, then calls the driver for each claim. The checks
 * have the kubelet's order and messages ({@code pkg/kubelet/cm/dra/manager.go}).
 */
final class PodPreparer {

    private final ObjectClient client;
    private final ObjectStores cluster;
    private final SimulatedDriver driver;

    PodPreparer(ObjectClient client, ObjectStores cluster, SimulatedDriver driver) {
        this.client = client;
        this.cluster = cluster;
        this.driver = driver;
    }

    /** Prepares all claims of a pod that is starting; claims that are already prepared are not changed. */
    PreparationProgress prepare(Pod pod) {
        var unreadable = UnreadableFields.of(pod);
        if (unreadable.isPresent()) {
            return new PreparationProgress.Failed(unreadable.get());
        }
        var podClaims = claimsOf(pod);
        if (!podClaims.waitingFor().isEmpty()) {
            return new PreparationProgress.Failed(podClaims.waitingFor().get(0));
        }
        for (ResourceClaim claim : podClaims.claims()) {
            var problem = unreadable(claim).or(() -> notAllowed(pod, claim));
            var progress = problem.isPresent()
                    ? new PreparationProgress.Failed(problem.get())
                    : PreparationProgress.of(
                            "NodePrepareResources", claim.getMetadata().getName(), driver.prepare(pod, claim));
            if (!(progress instanceof PreparationProgress.Done)) {
                return progress;
            }
        }
        return new PreparationProgress.Done();
    }

    /** Queries the API server before rejecting, as the kubelet does: the watch on claims may lag behind the watch on pods. */
    private PodClaims claimsOf(Pod pod) {
        var known = PodClaims.of(pod, cluster.claims());
        if (known.areUsableBy(pod)) {
            return known;
        }
        PodClaims.names(pod).forEach(name -> refresh(pod.getMetadata().getNamespace(), name));
        return PodClaims.of(pod, cluster.claims());
    }

    private void refresh(String namespace, String name) {
        var claim = client.get(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build());
        if (claim != null) {
            cluster.claims().written(claim);
        }
    }

    private static Optional<String> unreadable(ResourceClaim claim) {
        return UnreadableFields.of(claim)
                .map(fields ->
                        "ResourceClaim %s: %s".formatted(claim.getMetadata().getName(), fields));
    }

    private static Optional<String> notAllowed(Pod pod, ResourceClaim claim) {
        if (Allocations.isAllocated(claim) && PodClaims.isReservedFor(claim, pod)) {
            return Optional.empty();
        }
        return Optional.of("pod %s (%s) is not allowed to use ResourceClaim %s (%s)"
                .formatted(
                        pod.getMetadata().getName(),
                        pod.getMetadata().getUid(),
                        claim.getMetadata().getName(),
                        claim.getMetadata().getUid()));
    }

    /** Unprepares the claims of a pod that has ended, except those that other pods use. */
    PreparationProgress unprepare(Pod pod) {
        for (ResourceClaim claim : PodClaims.of(pod, cluster.claims()).claims()) {
            var unreadable = unreadable(claim);
            if (unreadable.isPresent()) {
                return new PreparationProgress.Failed(unreadable.get());
            }
            if (claim.getStatus() != null
                    && SimulatedDriver.countPrepared(claim) > 0
                    && !isUsedByAnotherPod(claim, pod)) {
                var progress = PreparationProgress.of(
                        "NodeUnprepareResources", claim.getMetadata().getName(), driver.unprepare(pod, claim));
                if (!(progress instanceof PreparationProgress.Done)) {
                    return progress;
                }
            }
        }
        return new PreparationProgress.Done();
    }

    private boolean isUsedByAnotherPod(ResourceClaim claim, Pod pod) {
        String namespace = claim.getMetadata().getNamespace();
        Stream<Pod> users = PodClaims.isReservedForGroup(claim, pod)
                ? cluster.pods().list().stream()
                        .filter(other -> namespace.equals(other.getMetadata().getNamespace())
                                && PodClaims.names(other)
                                        .contains(claim.getMetadata().getName()))
                : ClaimConsumers.pods(claim)
                        .flatMap(consumer -> cluster.pods().get(namespace, consumer.getName()).stream());
        return users.filter(other ->
                        !other.getMetadata().getUid().equals(pod.getMetadata().getUid()))
                .anyMatch(other -> PodStage.of(other) == PodStage.RUNNING);
    }
}
