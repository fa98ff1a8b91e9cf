package dev.fakegpu.operator.schedule.bind;

import dev.fakegpu.api.Labels;
import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.NodeAllocatableUse;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.kube.client.ObjectClient;
import dev.fakegpu.kube.watch.ObjectStore;
import dev.fakegpu.util.SafeText;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerExtendedResourceRequest;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** Writes decisions about pods: bindings, and the parts of the status that a scheduler sets. */
public final class PodWriter {

    /** The text of kube-scheduler, with this scheduler's name. */
    private static final String PREEMPTED = Labels.SCHEDULER_NAME + ": preempting to accommodate a higher priority pod";

    private final ObjectClient client;
    private final ObjectStore<Pod> pods;
    private final Clock clock;

    public PodWriter(ObjectClient client, ObjectStore<Pod> pods, Clock clock) {
        this.client = client;
        this.pods = pods;
        this.clock = clock;
    }

    /** Binds the pod and records this in the store immediately, so that the pod is not scheduled again before the informer sees it. */
    void bind(Pod pod, String node) {
        client.bind(new BindingBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build());
        // The store may have a later version than the one on which the decision is based.
        Pod newest = stored(pod).orElse(pod);
        pods.written(
                new PodBuilder(newest).editSpec().withNodeName(node).endSpec().build());
    }

    /** Sets the condition {@code PodScheduled}; writes nothing if the pod already has the same condition. */
    public void refuse(Pod pod, String reason, String message) {
        var condition = new PodConditionBuilder()
                .withType(PodState.POD_SCHEDULED)
                .withStatus("False")
                .withReason(reason)
                .withMessage(SafeText.of(message, SafeText.CONDITION_MESSAGE))
                .withObservedGeneration(pod.getMetadata().getGeneration())
                .build();
        Optional<PodCondition> before = PodState.scheduled(pod);
        if (before.filter(is(condition)).isPresent()) {
            return;
        }
        condition.setLastTransitionTime(before.filter(known -> "False".equals(known.getStatus()))
                .map(PodCondition::getLastTransitionTime)
                .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS).toString()));
        // Sends the resource version: a pod that was bound in the meantime must not be marked as unschedulable.
        var patch = statusOf(pod)
                .editMetadata()
                .withResourceVersion(pod.getMetadata().getResourceVersion())
                .endMetadata()
                .withNewStatus()
                .withConditions(condition)
                .endStatus()
                .build();
        pods.written(client.mergeStatus(patch));
    }

    /** @param node the node that the pod gets once the victims are gone; empty to withdraw it */
    void nominate(Pod pod, String node) {
        pods.written(client.mergeStatus(statusOf(pod)
                .withNewStatus()
                .withNominatedNodeName(node)
                .endStatus()
                .build()));
    }

    /**
     * Marks a pod that is about to be deleted for another one, as kube-scheduler does.
     *
     * @return whether the pod still exists and is not terminating already
     */
    boolean markPreempted(Pod pod) {
        Pod stored = client.get(pod);
        if (stored == null
                || !stored.getMetadata().getUid().equals(pod.getMetadata().getUid())
                || stored.getMetadata().getDeletionTimestamp() != null
                || PodState.hasEnded(stored)) {
            return false;
        }
        pods.written(client.mergeStatus(statusOf(pod)
                .withNewStatus()
                .addNewCondition()
                .withType("DisruptionTarget")
                .withStatus("True")
                .withReason("PreemptionByScheduler")
                .withMessage(SafeText.of(PREEMPTED, SafeText.CONDITION_MESSAGE))
                .withLastTransitionTime(
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).toString())
                .endCondition()
                .endStatus()
                .build()));
        return true;
    }

    private static PodBuilder statusOf(Pod pod) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(pod.getMetadata().getName())
                .withNamespace(pod.getMetadata().getNamespace())
                .withUid(pod.getMetadata().getUid())
                .endMetadata();
    }

    /** Writes the mapping from extended resources of containers to requests of a claim into the status, where the kubelet reads it. */
    Pod mapExtendedResources(Pod pod, ResourceClaim claim, List<ContainerExtendedResourceRequest> mappings) {
        var patch = statusOf(pod)
                .withNewStatus()
                .withNewExtendedResourceClaimStatus()
                .withResourceClaimName(claim.getMetadata().getName())
                .withRequestMappings(mappings)
                .endExtendedResourceClaimStatus()
                .endStatus()
                .build();
        var patched = client.mergeStatus(patch);
        pods.written(patched);
        return patched;
    }

    /**
     * Writes what the devices of a pod take of its node into the status of the stored pod, where kube-scheduler and the kubelet read it
     * (KEP-5517). API servers without the feature drop it.
     */
    void recordUses(Pod pod) {
        List<NodeAllocatableUse> uses = NodeAllocatableUses.of(pod);
        stored(pod)
                .filter(stored -> !uses.equals(NodeAllocatableUses.of(stored)))
                .ifPresent(stored -> pods.written(client.updateStatus(stored, NodeAllocatableUses.in(stored, uses))));
    }

    private Optional<Pod> stored(Pod pod) {
        return pods.get(pod.getMetadata().getNamespace(), pod.getMetadata().getName())
                .filter(stored ->
                        stored.getMetadata().getUid().equals(pod.getMetadata().getUid()));
    }

    private static Predicate<PodCondition> is(PodCondition desired) {
        return condition -> condition.getType().equals(desired.getType())
                && condition.getStatus().equals(desired.getStatus())
                && Objects.equals(condition.getMessage(), desired.getMessage());
    }
}
