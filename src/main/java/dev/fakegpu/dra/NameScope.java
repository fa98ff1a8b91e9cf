package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * What a text may name, depending on who reads it: the claims of all namespaces and the names of cluster-scoped objects, or only the claims
 * of the reader's namespace.
 *
 * @param namespace of the reader; null if everything may be named
 */
public record NameScope(@Nullable String namespace) {

    private static final NameScope ALL = new NameScope(null);

    /** For whoever may read everything: the log, and people at the command line. */
    public static NameScope all() {
        return ALL;
    }

    /** A claim as {@code namespace/name}, or without both if the reader must not know them; the UID lets an administrator find it. */
    public String of(ClaimRef claim) {
        return includesAll() || claim.namespace().equals(namespace)
                ? claim.toString()
                : "a claim of another namespace (uid " + claim.uid() + ")";
    }

    /** Whether objects may be named that users of a namespace usually cannot read. */
    public boolean includesAll() {
        return namespace == null;
    }
}
