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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says why claims of a pod do not exist, which ones were meant, and which ones no longer match their templates. */
final class MissingClaims {

    private final ClusterSnapshot snapshot;
    private final QuotaFacts quotas;

    MissingClaims(ClusterSnapshot snapshot, QuotaFacts quotas) {
        this.snapshot = snapshot;
        this.quotas = quotas;
    }

    /** Returns the answer with what is known of the pod's missing claims, instead of what its scheduler can say of them. */
    Answer known(Pod pod, Answer answer) {
        String sentence = answer.sentence();
        var explained = new HashSet<String>();
        for (PodResourceClaim reference : pod.getSpec().getResourceClaims()) {
            String template = reference.getResourceClaimTemplateName();
            String claim = reference.getResourceClaimName();
            if (template != null) {
                String supposed = PodClaims.notCreated(template);
                sentence = sentence.replace(
                        supposed, ofTemplate(pod, reference, template).orElse(supposed));
            } else if (claim != null && explained.add(claim)) {
                String missing = PodClaims.doesNotExist(claim);
                sentence = sentence.replace(
                        missing,
                        missing
                                + hint(
                                        pod.getMetadata().getNamespace(),
                                        claim,
                                        snapshot.objects().claims(),
                                        snapshot.objects().claimTemplates(),
                                        "a ResourceClaimTemplate of this name: write resourceClaimTemplateName"));
            }
        }
        return answer.saying(sentence);
    }

    private Optional<String> ofTemplate(Pod pod, PodResourceClaim reference, String name) {
        String namespace = pod.getMetadata().getNamespace();
        if (!snapshot.objects().isComplete(ObjectKind.CLAIM_TEMPLATES, namespace)) {
            return Optional.empty();
        }
        Optional<ResourceClaimTemplate> template = snapshot.objects().claimTemplates().stream()
                .filter(each -> isNamed(each, namespace, name))
                .findFirst();
        if (template.isEmpty()) {
            return Optional.of("ResourceClaimTemplate \"%s\" does not exist%s, so no ResourceClaim is created"
                    .formatted(
                            name,
                            hint(
                                    namespace,
                                    name,
                                    snapshot.objects().claimTemplates(),
                                    snapshot.objects().claims(),
                                    "a ResourceClaim of this name: write resourceClaimName")));
        }
        return Optional.of(quotas.forbidsClaim(pod, reference, template.get())
                .map(detail -> "ResourceClaimTemplate \"%s\" exists, but a quota forbids its claim: %s"
                        .formatted(name, detail))
                .orElseGet(() ->
                        "ResourceClaimTemplate \"%s\" exists, but kube-controller-manager has not created its claim; if it was refused, an event FailedResourceClaimCreation of the pod says why"
                                .formatted(name)));
    }

    /**
     * What was probably meant: an object of the other kind, one in another namespace, or one with a similar name.
     *
     * @param confused the objects of the kind for which the pod has another field
     */
    private static String hint(
            String namespace,
            String name,
            Collection<? extends HasMetadata> objects,
            Collection<? extends HasMetadata> confused,
            String otherField) {
        if (names(namespace, confused).contains(name)) {
            return " (there is %s)".formatted(otherField);
        }
        return objects.stream()
                .map(HasMetadata::getMetadata)
                .filter(metadata -> name.equals(metadata.getName()))
                .findFirst()
                .map(metadata -> " (there is one in namespace \"%s\", which only pods of that namespace can use)"
                        .formatted(metadata.getNamespace()))
                .orElseGet(() -> Suggestion.hint(name, names(namespace, objects)));
    }

    private static boolean isNamed(ResourceClaimTemplate template, String namespace, @Nullable String name) {
        return namespace.equals(template.getMetadata().getNamespace())
                && template.getMetadata().getName().equals(name);
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

    private static List<String> names(String namespace, Collection<? extends HasMetadata> objects) {
        return objects.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .map(object -> object.getMetadata().getName())
                .toList();
    }
}
