package dev.fakegpu.cluster.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Objects that could not be read.
 *
 * @param verb of the request: {@code list} or {@code get}
 * @param namespace where; null for all namespaces, or for a cluster-scoped kind
 */
public record Unseen(ObjectKind kind, String verb, @Nullable String namespace, Cause cause) {

    /** Why. */
    public enum Cause {
        /** The caller lacks the right. */
        FORBIDDEN,
        /** The API server does not serve the kind, so there are no such objects. */
        NOT_SERVED
    }

    /** Such as {@code may not list pods in all namespaces}, without a subject and without a period. */
    public String text() {
        return cause == Cause.NOT_SERVED
                ? "the API server does not serve " + kind.resource()
                : "may not " + verb + " " + kind.resource() + where();
    }

    private String where() {
        if (!kind.isNamespaced()) {
            return "";
        }
        return namespace == null ? " in all namespaces" : " in namespace \"" + namespace + '"';
    }
}
