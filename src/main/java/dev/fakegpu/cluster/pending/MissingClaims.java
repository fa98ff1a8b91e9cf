package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.wire.ClaimReader;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Suggests which claims or templates were meant if a pod names some that do not exist, and says what it has of templates that do exist. */
final class MissingClaims {

    private final ClusterSnapshot snapshot;
    private final QuotaFacts quotas;

    MissingClaims(ClusterSnapshot snapshot, QuotaFacts quotas) {
        this.snapshot = snapshot;
        this.quotas = quotas;
    }

    List<String> of(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return pod.getSpec().getResourceClaims().stream()
                .flatMap(reference ->
                        Stream.concat(template(pod, reference).stream(), claim(namespace, reference).stream()))
                .distinct()
                .toList();
    }

    private Optional<String> template(Pod pod, PodResourceClaim reference) {
        String namespace = pod.getMetadata().getNamespace();
        String name = reference.getResourceClaimTemplateName();
        if (name == null || !snapshot.objects().isComplete(ObjectKind.CLAIM_TEMPLATES, namespace)) {
            return Optional.empty();
        }
        List<String> known = names(namespace, snapshot.objects().claimTemplates());
        Optional<ResourceClaimTemplate> template = snapshot.objects().claimTemplates().stream()
                .filter(each -> isNamed(each, namespace, name))
                .findFirst();
        if (template.isEmpty()) {
            return Optional.of(
                    "ResourceClaimTemplate \"%s\" does not exist%s".formatted(name, Suggestion.hint(name, known)));
        }
        return isCreated(pod, reference)
                ? Optional.empty()
                : Optional.of(quotas.forbidsClaim(pod, reference, template.get())
                        .map(detail -> "ResourceClaimTemplate \"%s\" exists, but a quota forbids its claim: %s"
                                .formatted(name, detail))
                        .orElseGet(() ->
                                "ResourceClaimTemplate \"%s\" exists, so the claim was refused or is about to be created: if refused, an event FailedResourceClaimCreation of the pod gives the reason"
                                        .formatted(name)));
    }

    private static boolean isNamed(ResourceClaimTemplate template, String namespace, @Nullable String name) {
        return namespace.equals(template.getMetadata().getNamespace())
                && template.getMetadata().getName().equals(name);
    }

    private static boolean isCreated(Pod pod, PodResourceClaim reference) {
        return pod.getStatus() != null
                && pod.getStatus().getResourceClaimStatuses().stream()
                        .anyMatch(status -> status.getName().equals(reference.getName()));
    }

    /** Claims that no longer match their templates; users who have fixed a template would look for the mistake there. */
    List<String> outOfDate(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return pod.getSpec().getResourceClaims().stream()
                .flatMap(reference -> snapshot.objects().claimTemplates().stream()
                        .filter(template -> isNamed(template, namespace, reference.getResourceClaimTemplateName()))
                        .flatMap(template ->
                                PodClaims.named(pod, reference.getName(), snapshot.objects()::claim).stream()
                                        .filter(claim -> !isFollowed(template, claim))
                                        .map(claim -> outOfDate(claim, template))))
                .toList();
    }

    private static boolean isFollowed(ResourceClaimTemplate template, ResourceClaim claim) {
        Claim now = ClaimReader.read(new ResourceClaimBuilder(claim)
                .withSpec(template.getSpec().getSpec())
                .build());
        Claim then = ClaimReader.read(claim);
        return now.requests().equals(then.requests()) && now.constraints().equals(then.constraints());
    }

    private static String outOfDate(ResourceClaim claim, ResourceClaimTemplate template) {
        return "ResourceClaim \"%s\" was created before ResourceClaimTemplate \"%s\" changed: create the pod again"
                .formatted(claim.getMetadata().getName(), template.getMetadata().getName());
    }

    private Optional<String> claim(String namespace, PodResourceClaim reference) {
        String name = reference.getResourceClaimName();
        List<String> known = names(namespace, snapshot.objects().claims());
        if (name == null || known.contains(name)) {
            return Optional.empty();
        }
        String hint = Suggestion.hint(name, known);
        return hint.isEmpty()
                ? Optional.empty()
                : Optional.of("there is no ResourceClaim \"%s\"%s".formatted(name, hint));
    }

    private static List<String> names(String namespace, Collection<? extends HasMetadata> objects) {
        return objects.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .map(object -> object.getMetadata().getName())
                .toList();
    }
}
