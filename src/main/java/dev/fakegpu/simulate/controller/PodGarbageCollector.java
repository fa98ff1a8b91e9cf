package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Deletes the pods of nodes that have not existed for some time ({@code gcOrphaned} in {@code pkg/controller/podgc}), and releases their
 * claims.
 */
final class PodGarbageCollector {

    /** The value of {@code quarantineTime}. The real controller then waits up to 20 s for its next run. */
    private static final Duration QUARANTINE = Duration.ofSeconds(40);

    private static final String FINALIZER = "resource.kubernetes.io/delete-protection";
    private static final String REASON = "DeletionByPodGC";

    private final ControlledCluster cluster;
    private final ControllerTime time;
    private final Replacements replacements;
    private final Consumer<Eviction> evictions;

    PodGarbageCollector(
            ControlledCluster cluster, ControllerTime time, Replacements replacements, Consumer<Eviction> evictions) {
        this.cluster = cluster;
        this.time = time;
        this.replacements = replacements;
        this.evictions = evictions;
    }

    void changed(Node node) {
        if (cluster.get(node) == null) {
            time.after(QUARANTINE, () -> collect(node));
        }
    }

    /** Looks for the node of a pod whose creator chose it. */
    void created(Pod pod) {
        if (PodState.isBound(pod)) {
            changed(new NodeBuilder()
                    .withNewMetadata()
                    .withName(pod.getSpec().getNodeName())
                    .endMetadata()
                    .build());
        }
    }

    private void collect(Node node) {
        String name = node.getMetadata().getName();
        if (cluster.get(node) == null) {
            cluster.list(Pod.class).stream()
                    .filter(pod -> name.equals(pod.getSpec().getNodeName()))
                    .forEach(pod -> collect(pod, name));
        }
    }

    private void collect(Pod pod, String node) {
        var metadata = pod.getMetadata();
        Pod failed = PodState.hasEnded(pod) ? pod : cluster.updateStatus(pod, failed(pod));
        evictions.accept(new Eviction(
                time.instant(),
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid(),
                REASON,
                "node %s does not exist".formatted(node)));
        replacements.deleting(failed);
        cluster.deleteImmediately(failed);
        release(failed);
    }

    /**
     * Releases a claim. Its pool may have been deleted with the node, and then no scheduler knows the pool ({@code syncClaim} in
     * {@code pkg/controller/resourceclaim}).
     */
    private void release(Pod pod) {
        PodClaims.names(pod).stream()
                .flatMap(name -> cluster.stores().claims().get(pod.getMetadata().getNamespace(), name).stream())
                .filter(claim -> PodClaims.isReservedFor(claim, pod))
                .toList()
                .forEach(claim -> release(claim, pod.getMetadata().getUid()));
    }

    private void release(ResourceClaim claim, String uid) {
        var remaining = claim.getStatus().getReservedFor().stream()
                .filter(user -> !uid.equals(user.getUid()))
                .toList();
        var status = new ResourceClaimBuilder(claim).editStatus().withReservedFor(remaining);
        if (!remaining.isEmpty()) {
            cluster.updateStatus(claim, status.endStatus().build());
            return;
        }
        ResourceClaim released = cluster.updateStatus(
                claim,
                status.withAllocation(null).withDevices(List.of()).endStatus().build());
        cluster.update(
                released,
                new ResourceClaimBuilder(released)
                        .editMetadata()
                        .removeFromFinalizers(FINALIZER)
                        .endMetadata()
                        .build());
    }

    private static Pod failed(Pod pod) {
        return new PodBuilder(pod)
                .editStatus()
                .withPhase("Failed")
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .withReason(REASON)
                .withMessage(SafeText.of("PodGC: node no longer exists", SafeText.CONDITION_MESSAGE))
                .endCondition()
                .endStatus()
                .build();
    }
}
