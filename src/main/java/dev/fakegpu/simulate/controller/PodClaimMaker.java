package dev.fakegpu.simulate.controller;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.manifest.PodGroup;
import dev.fakegpu.kube.watch.PodClaims;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Creates claims from the templates of pods and PodGroups ({@code pkg/controller/resourceclaim}). Their names are {@code <pod>-<reference>}
 * and {@code <group>-<reference>}. Reserves allocated claims for pods whose creator chose their node.
 */
final class PodClaimMaker {

    private final ControlledCluster cluster;
    private final Creations creations;

    /**
     * The pods and groups whose template does not exist, whose claim's name is taken, or whose claim cannot be reserved, by the object that
     * they wait for.
     */
    private final Map<String, Set<HasMetadata>> waiting = new HashMap<>();

    PodClaimMaker(ControlledCluster cluster, Creations creations) {
        this.cluster = cluster;
        this.creations = creations;
    }

    /** The pods and groups that waited for a change of this template or claim. */
    Set<HasMetadata> waitingFor(HasMetadata object) {
        return Objects.requireNonNullElse(waiting.remove(key(object)), Set.of());
    }

    void sync(Pod pod) {
        Optional<PodGroup> group = cluster.stores().podGroup(pod);
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            boolean isKnown = pod.getStatus().getResourceClaimStatuses().stream()
                    .anyMatch(status -> status.getName().equals(reference.getName()));
            String template = reference.getResourceClaimTemplateName();
            if (template == null || isKnown) {
                continue;
            }
            HasMetadata owner = group.isPresent() && group.get().shares(reference) ? group.get() : pod;
            claim(owner, reference.getName(), template).ifPresent(claim -> note(pod, reference.getName(), claim));
        }
        if (PodState.isBound(pod) && !PodState.hasEnded(pod)) {
            PodClaims.names(pod).forEach(name -> reserve(name, pod, group));
        }
    }

    /** For a pod without a node, the scheduler does this. */
    private void reserve(String name, Pod pod, Optional<PodGroup> group) {
        ResourceClaim named =
                Owners.named(new ResourceClaim(), pod.getMetadata().getNamespace(), name);
        ResourceClaim claim = cluster.get(named);
        if (claim != null && PodClaims.isReservedFor(claim, pod)) {
            return;
        }
        if (claim == null
                || claim.getMetadata().getDeletionTimestamp() != null
                || !Allocations.isAllocated(claim)
                || claim.getStatus().getReservedFor().size() >= Limits.RESERVATIONS) {
            await(named, pod);
            return;
        }
        cluster.updateStatus(
                claim,
                new ResourceClaimBuilder(claim)
                        .editStatus()
                        .addToReservedFor(PodClaims.consumer(pod, claim, group))
                        .endStatus()
                        .build());
    }

    /** @return the pods of the group, which may have waited for its claims */
    List<Pod> sync(PodGroup group) {
        for (PodGroup.SharedClaim shared : group.sharedClaims()) {
            if (shared.name() != null && shared.resourceClaimTemplateName() != null) {
                var unused = claim(group, shared.name(), shared.resourceClaimTemplateName());
            }
        }
        var metadata = group.getMetadata();
        return cluster.stores().podsOfGroup(metadata.getNamespace(), metadata.getName());
    }

    /** The claim that was created for the owner; empty if there is no template yet, if the name is taken, or if a quota forbids it. */
    private Optional<ResourceClaim> claim(HasMetadata owner, String reference, String templateName) {
        String namespace = owner.getMetadata().getNamespace();
        ResourceClaimTemplate template =
                cluster.get(Owners.named(new ResourceClaimTemplate(), namespace, templateName));
        if (template == null) {
            await(Owners.named(new ResourceClaimTemplate(), namespace, templateName), owner);
            return Optional.empty();
        }
        ResourceClaim claim = claim(owner, reference, template);
        ResourceClaim stored = cluster.get(claim);
        if (stored == null) {
            String text = "%sResourceClaim %s: create ResourceClaim %s: "
                    .formatted(owner.getKind(), reference, claim.getMetadata().getName());
            boolean isCreated = creations.create(owner, claim, "FailedResourceClaimCreation", text + "%s");
            return Optional.of(claim).filter(ignored -> isCreated); // the owner is processed again when that may help
        }
        boolean isOwn = owner instanceof PodGroup
                && Owners.of(stored)
                        .anyMatch(each -> owner.getMetadata().getUid().equals(each.getUid()));
        if (!isOwn) {
            await(stored, owner);
        }
        return Optional.of(stored).filter(ignored -> isOwn);
    }

    private void await(HasMetadata object, HasMetadata owner) {
        waiting.computeIfAbsent(key(object), ignored -> new LinkedHashSet<>()).add(owner);
    }

    private void note(Pod pod, String reference, ResourceClaim claim) {
        Pod stored = Objects.requireNonNull(cluster.get(pod));
        cluster.updateStatus(
                stored,
                new PodBuilder(stored)
                        .editStatus()
                        .addNewResourceClaimStatus()
                        .withName(reference)
                        .withResourceClaimName(claim.getMetadata().getName())
                        .endResourceClaimStatus()
                        .endStatus()
                        .build());
    }

    private static ResourceClaim claim(HasMetadata owner, String reference, ResourceClaimTemplate template) {
        var metadata = template.getSpec().getMetadata();
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(owner.getMetadata().getNamespace())
                .withName(owner.getMetadata().getName() + "-" + reference)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(Owners.reference(owner))
                .endMetadata()
                .withSpec(template.getSpec().getSpec().edit().build())
                .build();
    }

    private static String key(HasMetadata object) {
        var metadata = object.getMetadata();
        return object.getKind() + "/" + metadata.getNamespace() + "/" + metadata.getName();
    }
}
