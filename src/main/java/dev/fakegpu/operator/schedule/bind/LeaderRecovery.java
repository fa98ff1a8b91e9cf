package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.client.Pages;
import dev.fakegpu.kube.client.UnreadableFields;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * Makes sure before the first decision that writes of the previous leader, which may still be in flight, can no longer take effect. An
 * allocation is written only to an unallocated claim that already has the finalizer. So each such claim is read from the API server itself
 * and written once, which changes the resource version on which a write of the previous leader is based. See docs/companion.md.
 */
public final class LeaderRecovery {

    private static final Logger LOG = Logger.getLogger(LeaderRecovery.class);

    /** The interval does not grow, because every pod and claim of the companion waits for this one process. */
    private static final Duration RETRY_INTERVAL = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final ObjectStores cluster;
    private final ClaimWriter claims;

    public LeaderRecovery(KubernetesClient client, ObjectStores cluster, ClaimWriter claims) {
        this.client = client;
        this.cluster = cluster;
        this.claims = claims;
    }

    /** Blocks until it is done, no matter how long that takes, since nothing may be scheduled before. */
    public void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                fenceAll();
                return;
            } catch (KubernetesClientException e) {
                LOG.warnf(
                        "no decisions are made until claims can be read and written; trying again in %d s: %s",
                        RETRY_INTERVAL.toSeconds(), e.getMessage());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RETRY_INTERVAL.toMillis()));
            }
        }
    }

    private void fenceAll() {
        // Without a resource version, the API server reads from etcd. Lists page by page, since a claim may have up to
        // a megabyte.
        Pages.forEach(client.resources(ResourceClaim.class).inAnyNamespace(), Pages.SMALL, page -> {
            page.forEach(cluster.claims()::written);
            page.stream().filter(claim -> !Allocations.isAllocated(claim)).forEach(this::fence);
        });
        cluster.pods().list().stream()
                .filter(PodState::isOfCompanion)
                .filter(pod -> !PodState.isBound(pod) && !PodState.hasEnded(pod))
                .forEach(this::releaseIncomplete);
    }

    private void fence(ResourceClaim claim) {
        var current = claim;
        while (current != null && !Allocations.isAllocated(current)) {
            try {
                claims.unprotect(current);
                return;
            } catch (KubernetesClientException e) {
                if (!ClaimWriter.isOutdated(e)) {
                    throw e;
                }
                current = claims.read(claim);
            }
        }
    }

    /**
     * The previous leader may have been about to release the claims of a partially allocated pod. Releasing them here makes such a write
     * fail.
     */
    private void releaseIncomplete(Pod pod) {
        var podClaims = PodClaims.of(pod, cluster.claims()).claims();
        if (podClaims.stream().allMatch(Allocations::isAllocated)) {
            return;
        }
        podClaims.stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> UnreadableFields.isReadable(claim) && ClaimReleaser.isReservedOnlyFor(pod, claim))
                .forEach(claim -> {
                    try {
                        claims.release(claim, List.of());
                    } catch (KubernetesClientException e) {
                        if (!ClaimWriter.isOutdated(e)) {
                            throw e;
                        }
                    }
                });
    }
}
