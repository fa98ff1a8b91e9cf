package dev.fakegpu.cluster.snapshot;

import org.jspecify.annotations.Nullable;

/**
 * Objects that could not be read.
 *
 * @param verb the verb of the request: {@code list} or {@code get}
 * @param namespace the namespace; null for all namespaces, or for a cluster-scoped kind
 */
public record Unseen(ObjectKind kind, String verb, @Nullable String namespace, Cause cause) {

    /** The reason. */
    public enum Cause {
        /** The caller lacks permission. */
        FORBIDDEN,
        /** The API server does not serve the kind, so there are no such objects. */
        NOT_SERVED
    }

    /** Returns text such as {@code may not list pods in all namespaces}, without a subject and without a period. */
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
