package dev.fakegpu.dashboard.server;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.kube.manifest.PodGroup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Replaces the names that a caller may not see before a picture is created: a name that is not in the objects cannot occur in a sentence
 * about them. A name is replaced by the kind and the beginning of the object's UID, such as {@code (claim 0b5c2f1e-6d1f)}. Administrators
 * can find the object by this text, and no object can have it as its name. Not thread-safe.
 */
final class WithheldNames {

    private final Visibility visibility;
    private Map<HasMetadata, Shown> last = Map.of();

    WithheldNames(Visibility visibility) {
        this.visibility = visibility;
    }

    /** Whether the text replaces the name of a pod, a PodGroup, a claim or a namespace. */
    static boolean isWithheld(String name) {
        return name.startsWith("(");
    }

    /** Whether the name of the pod's PodGroup, of a claim that it uses, or of a claim's template is withheld. */
    static boolean refersToWithheld(Pod pod) {
        return Stream.concat(
                        pod.getSpec().getResourceClaims().stream()
                                .flatMap(reference -> Stream.of(
                                        Objects.requireNonNullElse(reference.getResourceClaimName(), ""),
                                        Objects.requireNonNullElse(reference.getResourceClaimTemplateName(), ""))),
                        PodGroup.nameFor(pod).stream())
                .anyMatch(WithheldNames::isWithheld);
    }

    /**
     * An object with only names that may be seen.
     *
     * @param uidsOfNamed the UIDs of the objects that it names
     */
    private record Shown(HasMetadata object, List<String> uidsOfNamed) {}

    /** Returns the objects with only names that may be seen. An unchanged object remains the same instance. */
    ClusterObjects withhold(ClusterObjects objects) {
        if (visibility.equals(Visibility.EVERYTHING)) {
            return objects;
        }
        var replacements = new NameReplacements(visibility, objects);
        Map<HasMetadata, Shown> current = new IdentityHashMap<>();
        for (HasMetadata object : objects.all()) {
            List<String> uids = replacements.uidsOfNamed(object);
            Shown known = last.get(object);
            current.put(
                    object,
                    known != null && known.uidsOfNamed().equals(uids)
                            ? known
                            : new Shown(replacements.withheld(object), uids));
        }
        last = current;
        return ClusterObjects.of(current.values().stream().map(Shown::object).toList())
                .withUnseen(objects.unseen());
    }
}
