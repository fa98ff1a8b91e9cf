package dev.fakegpu.schedule;

import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.schedule.fit.PodState;
import dev.fakegpu.schedule.fit.SchedulableNode;
import dev.fakegpu.watch.ClusterWatch;
import dev.fakegpu.watch.PodClaims;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Optional;

/**
 * Who waits for the companion: pods with its name as scheduler, and claims without a pod that carry the label {@link
 * Labels#ALLOCATE}, they or their namespace.
 */
final class Responsibility {

    private final ClusterWatch cluster;

    Responsibility(ClusterWatch cluster) {
        this.cluster = cluster;
    }

    /** The pod, if it still is the one that was queued and still waits. */
    Optional<Pod> pod(QueueItem item) {
        return pod(item.namespace(), item.name())
                .filter(pod -> pod.getMetadata().getUid().equals(item.uid()));
    }

    Optional<Pod> pod(String namespace, String name) {
        return cluster.pods().get(namespace, name).filter(this::waits);
    }

    /** The claim, if it still is the one that was queued and still waits. */
    Optional<ResourceClaim> claim(QueueItem item) {
        return cluster.claims()
                .get(item.namespace(), item.name())
                .filter(claim -> claim.getMetadata().getUid().equals(item.uid()))
                .filter(this::waits);
    }

    /**
     * The claims that a waiting pod brings. One that was made for its extended resources in an attempt that was not finished is none
     * of them.
     */
    PodClaims claims(Pod pod) {
        boolean isUnfinished = !PodState.isBound(pod)
                && pod.getStatus() != null
                && pod.getStatus().getExtendedResourceClaimStatus() != null;
        Pod own = isUnfinished
                ? new PodBuilder(pod)
                        .editStatus()
                        .withExtendedResourceClaimStatus(null)
                        .endStatus()
                        .build()
                : pod;
        return PodClaims.of(own, cluster.claims());
    }

    boolean waits(ResourceClaim claim) {
        return claim.getMetadata().getDeletionTimestamp() == null
                && !Allocations.isAllocated(claim)
                && isAskedFor(claim);
    }

    /** A label on the claim itself, whatever its value, wins over one on the namespace. */
    private boolean isAskedFor(ResourceClaim claim) {
        String own = SchedulableNode.labels(claim).get(Labels.ALLOCATE);
        if (own != null) {
            return own.equals("true");
        }
        return cluster.namespaces()
                .get(null, claim.getMetadata().getNamespace())
                .filter(Responsibility::asksForItsClaims)
                .isPresent();
    }

    static boolean asksForItsClaims(Namespace namespace) {
        return "true".equals(SchedulableNode.labels(namespace).get(Labels.ALLOCATE));
    }

    private boolean waits(Pod pod) {
        return Labels.SCHEDULER_NAME.equals(pod.getSpec().getSchedulerName())
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty()
                && !PodState.hasEnded(pod)
                && (!PodState.isBound(pod) || hasUnallocatedClaims(pod));
    }

    private boolean hasUnallocatedClaims(Pod pod) {
        return claims(pod).claims().stream().anyMatch(claim -> !Allocations.isAllocated(claim));
    }
}
