package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * What a text may name, depending on who reads it: the claims of all namespaces and the names of cluster-scoped objects, or only the claims
 * of the reader's namespace.
 *
 * @param namespace of the reader; null if everything may be named
 * @param users who uses claims; they are named where their claims are
 */
public record NameScope(@Nullable String namespace, ClaimUsers users) {

    private static final NameScope ALL = new NameScope(null);

    /** For texts that do not say who uses claims. */
    public NameScope(@Nullable String namespace) {
        this(namespace, ClaimUsers.UNKNOWN);
    }

    /** For whoever may read everything: the log, and people at the command line. */
    public static NameScope all() {
        return ALL;
    }

    public NameScope with(ClaimUsers newUsers) {
        return new NameScope(namespace, newUsers);
    }

    /** The same for whoever may read everything. */
    NameScope unrestricted() {
        return new NameScope(null, users);
    }

    /** A claim as {@code namespace/name}, or without both if the reader must not know them; the UID lets an administrator find it. */
    public String of(ClaimRef claim) {
        return includes(claim.namespace())
                ? claim.toString()
                : "a claim of another namespace (uid " + claim.uid() + ")";
    }

    /** A claim that would have to be released, with the pods that use it, and whether they are ending already. */
    public String withUsers(ClaimRef claim) {
        ClaimUse use = users.of(claim);
        String text = includes(claim.namespace()) ? use.text() : use.withoutNames();
        return of(claim) + (text.isEmpty() ? "" : " (" + text + ")");
    }

    /** Whether objects may be named that users of a namespace usually cannot read. */
    public boolean includesAll() {
        return namespace == null;
    }

    /** Whether pods and claims of a namespace may be named. */
    public boolean includes(String other) {
        return includesAll() || other.equals(namespace);
    }
}
