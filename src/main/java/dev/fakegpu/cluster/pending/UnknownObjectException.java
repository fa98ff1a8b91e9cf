package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.util.Suggestion;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.stream.Collectors;

/** There is no such object, or it cannot be read. The message is for users. */
public final class UnknownObjectException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private static final int MAX_LISTED = 5;

    UnknownObjectException(String message) {
        super(message);
    }

    /**
     * There is none of this name in the namespace.
     *
     * @param kind pods or claims
     * @param title of the kind
     */
    public static UnknownObjectException of(
            ClusterObjects objects, ObjectKind kind, String title, String namespace, String name) {
        if (!objects.isComplete(kind, namespace)) {
            return new UnknownObjectException(
                    "you may not list %s in namespace \"%s\"".formatted(kind.resource(), namespace));
        }
        List<? extends HasMetadata> all = kind == ObjectKind.PODS ? objects.pods() : objects.claims();
        List<String> here = names(all.stream()
                .filter(object -> namespace.equals(object.getMetadata().getNamespace()))
                .toList());
        List<String> elsewhere = all.stream()
                .filter(object -> object.getMetadata().getName().equals(name))
                .map(object -> object.getMetadata().getNamespace())
                .toList();
        return new UnknownObjectException("there is no %s \"%s\" in namespace \"%s\"%s%s%s"
                .formatted(
                        title,
                        name,
                        namespace,
                        Suggestion.hint(name, here),
                        listed("; one of this name is in namespace ", elsewhere),
                        here.isEmpty() ? "; the namespace has none" : listed("; there are ", here)));
    }

    static String listed(String beginning, List<String> names) {
        if (names.isEmpty()) {
            return "";
        }
        int more = names.size() - MAX_LISTED;
        return beginning
                + names.stream().limit(MAX_LISTED).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }

    static List<String> names(List<? extends HasMetadata> objects) {
        return objects.stream().map(object -> object.getMetadata().getName()).toList();
    }
}
