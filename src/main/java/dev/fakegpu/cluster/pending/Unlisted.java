package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.cluster.snapshot.Unseen;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pods and claims that were requested but that the caller may not list, so it is unknown whether they are waiting. */
final class Unlisted {

    private final List<ObjectKind> listed = new ArrayList<>();
    private final List<ObjectKind> inPart = new ArrayList<>();
    private final List<ObjectKind> unlisted = new ArrayList<>();
    private final Optional<String> namespace;

    private Unlisted(ClusterObjects objects, List<ObjectKind> asked, Optional<String> namespace) {
        this.namespace = namespace;
        for (ObjectKind kind : asked) {
            boolean isRefusedInItsNamespace = objects.unseen().stream()
                    .filter(unseen -> unseen.cause() == Unseen.Cause.FORBIDDEN && unseen.kind() == kind)
                    .anyMatch(unseen -> unseen.namespace() != null);
            if (namespace.map(only -> objects.isComplete(kind, only)).orElseGet(() -> objects.isComplete(kind))) {
                listed.add(kind);
            } else if (namespace.isPresent() || isRefusedInItsNamespace) {
                unlisted.add(kind);
            } else {
                inPart.add(kind);
            }
        }
    }

    /**
     * The text if nothing that the caller can see is waiting; empty if the caller can see all that was requested.
     *
     * @param namespace empty for all namespaces
     */
    static Optional<String> sentence(ClusterObjects objects, List<ObjectKind> asked, Optional<String> namespace) {
        var parts = new Unlisted(objects, asked, namespace);
        return parts.listed.size() == asked.size() ? Optional.empty() : Optional.of(parts.sentence() + parts.refusal());
    }

    private String sentence() {
        if (!inPart.isEmpty()) {
            var seen = new ArrayList<>(listed);
            seen.addAll(inPart);
            return "No " + words(seen, " and no ", "")
                    + " that you may list waits for devices; it is not known whether others do";
        }
        return listed.isEmpty()
                ? "It is not known whether " + words(unlisted, " or ", "s") + " wait for devices"
                : "No " + words(listed, " and no ", "") + " waits for devices; it is not known whether "
                        + words(unlisted, " or ", "s") + " do";
    }

    private String refusal() {
        return ": you may not list %s in %s."
                .formatted(
                        Stream.concat(inPart.stream(), unlisted.stream())
                                .map(ObjectKind::resource)
                                .collect(Collectors.joining(" or ")),
                        namespace.map(only -> "namespace \"" + only + '"').orElse("all namespaces"));
    }

    private static String words(List<ObjectKind> kinds, String separator, String plural) {
        return kinds.stream()
                .map(kind -> (kind == ObjectKind.PODS ? "pod" : "claim") + plural)
                .collect(Collectors.joining(separator));
    }
}
