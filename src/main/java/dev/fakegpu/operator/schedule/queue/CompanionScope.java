package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.ClaimUses;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.fit.SchedulableNode;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.engine.explain.finding.ClaimUsers;
import dev.fakegpu.kube.watch.ObjectStores;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.operator.schedule.settings.SchedulerProfile;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.List;
import java.util.Optional;

/**
 * Finds the pods and claims that the companion has to schedule: pods whose {@code spec.schedulerName} is {@link Labels#SCHEDULER_NAME}, and
 * claims without a pod if they or their namespace have the label {@link Labels#ALLOCATE}. Excludes bound pods that have all their claims,
 * and allocated claims.
 */
public final class CompanionScope {

    private final ObjectStores cluster;
    private final SchedulerProfile profile;

    public CompanionScope(ObjectStores cluster, SchedulerProfile profile) {
        this.cluster = cluster;
        this.profile = profile;
    }

    /** The pod that was queued, if it still exists and is still pending. */
    public Optional<Pod> pendingPod(QueueItem item) {
        return pendingPod(item.namespace(), item.name())
                .filter(pod -> pod.getMetadata().getUid().equals(item.uid()));
    }

    public Optional<Pod> pendingPod(String namespace, String name) {
        return cluster.pods().get(namespace, name).filter(this::isPending);
    }

    /** All pods that name the group, whether pending or not. */
    public List<Pod> podsOfGroup(String namespace, String group) {
        return cluster.podsOfGroup(namespace, group);
    }

    /** The claim that was queued, if it still exists and is still pending. */
    public Optional<ResourceClaim> pendingClaim(QueueItem item) {
        return pendingClaim(item.namespace(), item.name())
                .filter(claim -> claim.getMetadata().getUid().equals(item.uid()));
    }

    public Optional<ResourceClaim> pendingClaim(String namespace, String name) {
        return cluster.claims().get(namespace, name).filter(this::isPending);
    }

    /**
     * The claims of a pending pod, without the claim for its extended resources that an interrupted attempt may have left behind.
     */
    public PodClaims claims(Pod pod) {
        boolean isUnfinished = !PodState.isBound(pod)
                && pod.getStatus() != null
                && pod.getStatus().getExtendedResourceClaimStatus() != null;
        Pod withoutLeftover = isUnfinished
                ? new PodBuilder(pod)
                        .editStatus()
                        .withExtendedResourceClaimStatus(null)
                        .endStatus()
                        .build()
                : pod;
        return PodClaims.of(withoutLeftover, cluster.claims());
    }

    /** The current users of claims. */
    public ClaimUsers users() {
        return ClaimUses.in(cluster.claims(), cluster.pods());
    }

    public boolean isPending(ResourceClaim claim) {
        return profile.allocatesWithoutPods()
                && claim.getMetadata().getDeletionTimestamp() == null
                && !Allocations.isAllocated(claim)
                && isLabelled(claim);
    }

    /** A label on the claim overrides that of the namespace, whatever its value. */
    private boolean isLabelled(ResourceClaim claim) {
        String own = SchedulableNode.labels(claim).get(Labels.ALLOCATE);
        if (own != null) {
            return own.equals("true");
        }
        return cluster.namespaces()
                .get(null, claim.getMetadata().getNamespace())
                .filter(CompanionScope::isLabelled)
                .isPresent();
    }

    /** Whether the companion allocates the claims of the namespace without a pod. */
    public static boolean isLabelled(Namespace namespace) {
        return "true".equals(SchedulableNode.labels(namespace).get(Labels.ALLOCATE));
    }

    public boolean isPending(Pod pod) {
        return profile.isFor(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty()
                && !PodState.hasEnded(pod)
                && (!PodState.isBound(pod) || (profile.allocatesForBoundPods() && lacksAllocations(pod)));
    }

    /** Claims that do not exist count as unallocated: the event of a pod may arrive before that of its claim. */
    private boolean lacksAllocations(Pod pod) {
        PodClaims claims = claims(pod);
        return !claims.waitingFor().isEmpty()
                || claims.claims().stream().anyMatch(claim -> !Allocations.isAllocated(claim));
    }
}
