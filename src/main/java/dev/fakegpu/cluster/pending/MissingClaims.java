package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodResourceClaim;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Says which claims and templates a pod may mean that names some which do not exist. */
final class MissingClaims {

    private final ClusterSnapshot snapshot;

    MissingClaims(ClusterSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    List<String> of(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        return pod.getSpec().getResourceClaims().stream()
                .flatMap(reference ->
                        Stream.concat(template(namespace, reference).stream(), claim(namespace, reference).stream()))
                .distinct()
                .toList();
    }

    private Optional<String> template(String namespace, PodResourceClaim reference) {
        String name = reference.getResourceClaimTemplateName();
        if (name == null || !snapshot.objects().isComplete(ObjectKind.CLAIM_TEMPLATES, namespace)) {
            return Optional.empty();
        }
        List<String> known = names(namespace, snapshot.objects().claimTemplates());
        return known.contains(name)
                ? Optional.empty()
                : Optional.of(
                        "ResourceClaimTemplate \"%s\" does not exist%s".formatted(name, Suggestion.hint(name, known)));
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
