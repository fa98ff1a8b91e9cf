package dev.fakegpu.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.cluster.validation.AdminAccess;
import dev.fakegpu.simulate.memory.MemoryCluster;
import io.fabric8.kubernetes.api.model.Namespace;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Refuses new claims and templates with admin access unless the label of their namespace allows it. Not thread-safe. */
final class AdminAccessRule {

    private final MemoryCluster cluster;
    private final Set<String> notes = new LinkedHashSet<>();
    private boolean areNamespacesKnown = true;

    AdminAccessRule(MemoryCluster cluster) {
        this.cluster = cluster;
    }

    /** From now on, nothing is refused in namespaces that do not exist as objects. */
    void namespacesAreUnknown() {
        areNamespacesKnown = false;
    }

    /** One sentence for each object that was not refused because its namespace is unknown. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * Why the API server refuses an object; empty if it accepts it or has stored it already. A namespace that does not exist as an object
     * has no labels.
     */
    Optional<String> refusal(JsonNode json) {
        String kind = json.path("kind").asText();
        String name = json.path("metadata").path("name").asText();
        String namespace = json.path("metadata").path("namespace").asText("default");
        var error = AdminAccess.withoutLabel(json);
        if (error.isEmpty()
                || hasLabel(namespace, AdminAccess.LABEL)
                || cluster.find(kind, namespace, name).isPresent()) {
            return Optional.empty();
        }
        if (!areNamespacesKnown && !isKnown(namespace)) {
            notes.add(
                    "%s %s asks for admin access, which is taken to be allowed: whether namespace \"%s\" has the label %s could not be read"
                            .formatted(kind, name, namespace, AdminAccess.LABEL));
            return Optional.empty();
        }
        String hint = hasLabel(namespace, AdminAccess.OLD_LABEL)
                ? ", whose label %s was renamed in Kubernetes 1.34".formatted(AdminAccess.OLD_LABEL)
                : "";
        return error.map(
                found -> "%s %s: %s (namespace \"%s\"%s)".formatted(kind, name, found.sentence(), namespace, hint));
    }

    private boolean isKnown(String namespace) {
        return of(namespace).findAny().isPresent();
    }

    private boolean hasLabel(String namespace, String label) {
        return of(namespace)
                .flatMap(each -> Stream.ofNullable(each.getMetadata().getLabels()))
                .anyMatch(labels -> "true".equals(labels.get(label)));
    }

    private Stream<Namespace> of(String name) {
        return cluster.list(Namespace.class).stream()
                .filter(each -> each.getMetadata().getName().equals(name));
    }
}
