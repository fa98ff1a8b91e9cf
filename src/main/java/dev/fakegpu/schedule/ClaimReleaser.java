package dev.fakegpu.schedule;

import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimConsumerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Takes back what nobody uses any more: the companion's claims whose pods ended, and deleted ones without a pod. This is what
 * kube-controller-manager does; both do the same to the same resource version, so that it does not matter who is first, and a
 * cluster without it works too. What is to be released is found out by the deciding thread.
 */
final class ClaimReleaser {

    private static final Logger LOG = Logger.getLogger(ClaimReleaser.class);
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final ClusterWatch cluster;
    private final ManagedSlices slices;
    private final ClaimWriter claims;
    private final Writers writers;
    private final Consumer<Runnable> tell;
    private final Set<String> inProgress = ConcurrentHashMap.newKeySet();

    ClaimReleaser(
            KubernetesClient client,
            ClusterWatch cluster,
            ManagedSlices slices,
            ClaimWriter claims,
            Writers writers,
            Consumer<Runnable> tell) {
        this.client = client;
        this.cluster = cluster;
        this.slices = slices;
        this.claims = claims;
        this.writers = writers;
        this.tell = tell;
    }

    /**
     * A pod that cannot be placed must not sit on a part of its claims: with other devices for that part, or for somebody else,
     * there may be a way (kube-scheduler's PostFilter).
     */
    void giveUpOwnClaims(Pod pod, PodClaims podClaims) {
        var all = podClaims.claims();
        boolean someUnallocated = all.stream().anyMatch(claim -> !Allocations.isAllocated(claim));
        if (!someUnallocated || PodState.isBound(pod)) {
            return;
        }
        all.stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> claim.getStatus().getReservedFor().size() == 1 && PodClaims.isReservedFor(claim, pod))
                .forEach(claim -> write(claim, () -> claims.release(claim, List.of())));
    }

    /** What was allocated for a pod did not become what it needs; others that use the claim keep it. */
    void giveUp(Pod pod, ResourceClaim claim) {
        if (claim.getStatus().getReservedFor().size() == 1 && PodClaims.isReservedFor(claim, pod)) {
            write(claim, () -> claims.release(claim, List.of()));
        }
    }

    void delete(ResourceClaim claim) {
        write(claim, () -> claims.delete(claim));
    }

    void considerAll() {
        cluster.claims().list().forEach(this::consider);
    }

    void consider(String namespace, String claim) {
        cluster.claims().get(namespace, claim).ifPresent(this::consider);
    }

    /** Releases the claim if nobody uses it any more, and it holds what the companion gives away. */
    private void consider(ResourceClaim claim) {
        boolean isOurs =
                Allocations.devices(claim).stream().map(DeviceId::poolId).anyMatch(slices::isManaged);
        if (isOurs && mayBeUnused(claim)) {
            write(claim, () -> release(claim));
        }
    }

    /** As far as is known here, without asking anybody. */
    private boolean mayBeUnused(ResourceClaim claim) {
        var reservedFor = claim.getStatus().getReservedFor();
        return reservedFor.isEmpty()
                ? claim.getMetadata().getDeletionTimestamp() != null
                : reservedFor.stream().anyMatch(consumer -> !isKnownToRun(claim, consumer));
    }

    private boolean isKnownToRun(ResourceClaim claim, ResourceClaimConsumerReference consumer) {
        return !"pods".equals(consumer.getResource())
                || cluster.pods()
                        .get(claim.getMetadata().getNamespace(), consumer.getName())
                        .filter(pod ->
                                consumer.getUid().equals(pod.getMetadata().getUid()))
                        .filter(pod -> !PodState.hasEnded(pod))
                        .isPresent();
    }

    private void write(ResourceClaim claim, Runnable release) {
        var metadata = claim.getMetadata();
        if (!inProgress.add(metadata.getUid())) {
            return;
        }
        writers.decision(() -> {
            boolean isDone = attempt(claim, release);
            inProgress.remove(metadata.getUid());
            if (!isDone) {
                writers.decisionIn(
                        AFTER_FAILURE, () -> tell.accept(() -> consider(metadata.getNamespace(), metadata.getName())));
            }
        });
    }

    private static boolean attempt(ResourceClaim claim, Runnable release) {
        try {
            release.run();
            return true;
        } catch (KubernetesClientException e) {
            boolean changedMeanwhile =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
            LOG.logf(
                    changedMeanwhile ? Logger.Level.DEBUG : Logger.Level.WARN,
                    "claim %s/%s is not released yet: %s",
                    claim.getMetadata().getNamespace(),
                    claim.getMetadata().getName(),
                    e.getMessage());
            return false;
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
                .map(PodState::hasEnded)
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
}
