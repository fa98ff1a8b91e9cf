package dev.fakegpu.simulate.controller;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Creates the claims of pods' templates ({@code pkg/controller/resourceclaim}), named {@code <pod>-<reference>}. */
final class PodClaimMaker {

    private final ControlledCluster cluster;

    /** Pods whose template does not exist, by namespace and name of the template. */
    private final Map<String, Set<Pod>> waiting = new HashMap<>();

    PodClaimMaker(ControlledCluster cluster) {
        this.cluster = cluster;
    }

    /** The pods that have waited for a template. */
    Set<Pod> waitingFor(ResourceClaimTemplate template) {
        var metadata = template.getMetadata();
        Set<Pod> pods = waiting.remove(key(metadata.getNamespace(), metadata.getName()));
        return Objects.requireNonNullElse(pods, Set.of());
    }

    void sync(Pod pod) {
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            boolean isKnown = pod.getStatus().getResourceClaimStatuses().stream()
                    .anyMatch(status -> status.getName().equals(reference.getName()));
            String template = reference.getResourceClaimTemplateName();
            if (template != null && !isKnown && !create(pod, reference.getName(), template)) {
                waiting.computeIfAbsent(
                                key(pod.getMetadata().getNamespace(), template), ignored -> new LinkedHashSet<>())
                        .add(pod);
            }
        }
    }

    private boolean create(Pod pod, String reference, String templateName) {
        String namespace = pod.getMetadata().getNamespace();
        ResourceClaimTemplate template =
                cluster.get(Owners.named(new ResourceClaimTemplate(), namespace, templateName));
        if (template == null) {
            return false;
        }
        ResourceClaim claim = claim(pod, reference, template);
        if (cluster.get(claim) != null) {
            return false;
        }
        cluster.create(claim);
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
        return true;
    }

    private static ResourceClaim claim(Pod pod, String reference, ResourceClaimTemplate template) {
        var metadata = template.getSpec().getMetadata();
        return new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName() + "-" + reference)
                .withLabels(metadata == null ? Map.of() : metadata.getLabels())
                .withAnnotations(metadata == null ? Map.of() : metadata.getAnnotations())
                .withOwnerReferences(Owners.reference(pod))
                .endMetadata()
                .withSpec(template.getSpec().getSpec().edit().build())
                .build();
    }

    private static String key(String namespace, String name) {
        return namespace + "/" + name;
    }
}
