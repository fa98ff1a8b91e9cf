package dev.fakegpu.schedule;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jboss.logging.Logger;

/**
 * Before the first decision: a companion that was the leader before may have writes under way, and they must not take effect once
 * somebody else decides. Every allocation is written onto a claim that has the finalizer already and no allocation yet. So each
 * such claim, read from the API server itself, is written once: the version that the other one's write is based on is gone. See
 * docs/companion.md.
 */
final class LeaderRecovery {

    private static final Logger LOG = Logger.getLogger(LeaderRecovery.class);
    private static final Duration BETWEEN_ATTEMPTS = Duration.ofSeconds(1);

    private final KubernetesClient client;
    private final ClusterWatch cluster;
    private final ClaimWriter claims;

    LeaderRecovery(KubernetesClient client, ClusterWatch cluster, ClaimWriter claims) {
        this.client = client;
        this.cluster = cluster;
        this.claims = claims;
    }

    /** Returns when it is done, however long that takes: without it nothing may be decided. */
    void run() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                fenceAll();
                return;
            } catch (KubernetesClientException e) {
                LOG.warnf("nothing is decided before claims can be read and written: %s", e.getMessage());
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BETWEEN_ATTEMPTS.toMillis()));
            }
        }
    }

    private void fenceAll() {
        // Without a resource version the API server answers with what etcd has.
        var stored =
                client.resources(ResourceClaim.class).inAnyNamespace().list().getItems();
        stored.forEach(cluster.claims()::written);
        stored.stream().filter(claim -> !Allocations.isAllocated(claim)).forEach(this::fence);
        cluster.pods().list().stream()
                .filter(pod -> Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName()))
                .filter(pod -> !PodState.isBound(pod) && !PodState.hasEnded(pod))
                .forEach(this::giveUpParts);
    }

    private void fence(ResourceClaim claim) {
        var current = claim;
        while (current != null && !Allocations.isAllocated(current)) {
            try {
                claims.unprotect(current);
                return;
            } catch (KubernetesClientException e) {
                if (!isChangedMeanwhile(e)) {
                    throw e;
                }
                current = claims.read(claim);
            }
        }
    }

    /** The other one may be about to take back the claims of a pod that had only a part of them. Done here, it cannot do it later. */
    private void giveUpParts(Pod pod) {
        var podClaims = PodClaims.of(pod, cluster.claims()).claims();
        if (podClaims.stream().allMatch(Allocations::isAllocated)) {
            return;
        }
        podClaims.stream()
                .filter(Allocations::isAllocated)
                .filter(claim -> claim.getStatus().getReservedFor().size() == 1 && PodClaims.isReservedFor(claim, pod))
                .forEach(claim -> {
                    try {
                        claims.release(claim, List.of());
                    } catch (KubernetesClientException e) {
                        if (!isChangedMeanwhile(e)) {
                            throw e;
                        }
                    }
                });
    }

    private static boolean isChangedMeanwhile(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_CONFLICT || e.getCode() == HttpURLConnection.HTTP_NOT_FOUND;
    }
}
