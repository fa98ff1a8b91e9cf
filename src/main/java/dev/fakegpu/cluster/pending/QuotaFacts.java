package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.quota.QuotaAdmission;
import dev.fakegpu.cluster.quota.QuotaUsages;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds quotas that forbid claims that controllers create for pods. */
final class QuotaFacts {

    private static final List<ObjectKind> NEEDED = List.of(ObjectKind.QUOTAS, ObjectKind.PODS, ObjectKind.CLAIMS);

    private final ClusterObjects objects;
    private final Map<String, Optional<QuotaAdmission>> admissions = new HashMap<>();

    QuotaFacts(ClusterObjects objects) {
        this.objects = objects;
    }

    /** What forbids the claim that kube-controller-manager creates from a template; empty if no quota does or this is unknown. */
    Optional<String> forbidsClaim(Pod pod, PodResourceClaim reference, ResourceClaimTemplate template) {
        return forbids(new ResourceClaimBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName() + "-" + reference.getName())
                .endMetadata()
                .withSpec(template.getSpec().getSpec())
                .build());
    }

    /** What forbids the claim that the pod's scheduler creates for its extended resources. */
    List<String> ofExtendedResources(Optional<ResourceClaim> claim) {
        return claim.stream()
                .flatMap(each -> forbids(each).stream())
                .map(detail -> "a quota forbids the claim for its extended resources: " + detail)
                .toList();
    }

    private Optional<String> forbids(ResourceClaim claim) {
        return admissions
                .computeIfAbsent(claim.getMetadata().getNamespace(), this::admission)
                .flatMap(admission -> admission.forbids(claim));
    }

    /** Pods that should already be gone still count, because a snapshot has no current time. */
    private Optional<QuotaAdmission> admission(String namespace) {
        return NEEDED.stream().allMatch(kind -> objects.isComplete(kind, namespace))
                ? Optional.of(QuotaAdmission.in(
                        namespace,
                        objects.quotas(),
                        objects.pods(),
                        objects.claims(),
                        objects.deviceClasses(),
                        new QuotaUsages(() -> Instant.MIN)))
                : Optional.empty();
    }
}
