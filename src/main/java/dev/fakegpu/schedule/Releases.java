package dev.fakegpu.schedule;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Set;

/**
 * Takes back what nobody uses any more: the companion's claims whose pods ended, and deleted ones without a pod. This is what
 * kube-controller-manager does; both do the same to the same resource version, so that it does not matter who is first, and a
 * cluster without it works too.
 */
final class Releases {

    private final KubernetesClient client;
    private final ClusterWatch cluster;
    private final ClaimWriter claims;

    Releases(KubernetesClient client, ClusterWatch cluster, ClaimWriter claims) {
        this.client = client;
        this.cluster = cluster;
        this.claims = claims;
    }

    /**
     * A pod that cannot be placed must not sit on a part of its claims: with other devices for that part, or for somebody else,
     * there may be a way (kube-scheduler's PostFilter).
     */
    void giveUpOwnClaims(Pod pod, PodClaims podClaims) {
        var all = podClaims.claims();
        boolean someUnallocated = all.stream().anyMatch(claim -> !Allocations.isAllocated(claim));
        if (!someUnallocated) {
            return;
        }
        all.stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> claim.getStatus().getReservedFor().size() == 1 && PodClaims.isReservedFor(claim, pod))
                .forEach(claim -> claims.release(claim, List.of()));
    }

    /** @param pools those that the companion gives away; claims of others are not touched */
    void decide(ResourceClaim claim, Set<PoolId> pools) {
        if (Allocations.devices(claim).stream().map(DeviceId::poolId).anyMatch(pools::contains)) {
            release(claim);
        }
    }

    private void release(ResourceClaim claim) {
        List<ResourceClaimConsumerReference> reservedFor = claim.getStatus().getReservedFor();
        var remaining = reservedFor.stream()
                .filter(consumer -> !hasEnded(claim.getMetadata().getNamespace(), consumer))
                .toList();
        boolean consumersEnded = remaining.size() < reservedFor.size();
        boolean deleted = claim.getMetadata().getDeletionTimestamp() != null && remaining.isEmpty();
        if (consumersEnded || deleted) {
            claims.release(claim, remaining);
        }
    }

    private boolean hasEnded(String namespace, ResourceClaimConsumerReference consumer) {
        if (!"pods".equals(consumer.getResource())) {
            return false;
        }
        return cluster.pods()
                .get(namespace, consumer.getName())
                .filter(pod -> consumer.getUid().equals(pod.getMetadata().getUid()))
                .map(Releases::isFinished)
                .orElseGet(() -> isGone(namespace, consumer));
    }

    /** Asks the API server: our store may not have heard yet of a pod that somebody else reserved the claim for. */
    private boolean isGone(String namespace, ResourceClaimConsumerReference consumer) {
        var pod = client.pods()
                .inNamespace(namespace)
                .withName(consumer.getName())
                .get();
        return pod == null || !consumer.getUid().equals(pod.getMetadata().getUid());
    }

    private static boolean isFinished(Pod pod) {
        return pod.getStatus() != null
                && Set.of("Succeeded", "Failed")
                        .contains(String.valueOf(pod.getStatus().getPhase()));
    }
}
