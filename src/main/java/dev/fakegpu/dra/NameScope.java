package dev.fakegpu.dra;

import org.jspecify.annotations.Nullable;

/**
 * What a text may name, depending on who reads it: the claims of all namespaces and the names of cluster-scoped objects, or only the claims
 * of the reader's namespace.
 *
 * @param home the namespace that the text is about, which it does not name; null if it is about several
 * @param includesAll whether objects may be named that users of a namespace usually cannot read
 * @param users who uses claims; they are named where their claims are
 */
public record NameScope(@Nullable String home, boolean includesAll, ClaimUsers users) {

    private static final NameScope ALL = new NameScope(null, true, ClaimUsers.UNKNOWN);

    /** For users of a namespace, in texts that do not say who uses claims. */
    public NameScope(String namespace) {
        this(namespace, false, ClaimUsers.UNKNOWN);
    }

    /** For whoever may read everything: the log, and people at the command line. */
    public static NameScope all() {
        return ALL;
    }

    public NameScope with(ClaimUsers newUsers) {
        return new NameScope(home, includesAll, newUsers);
    }

    /** The same for a text about a namespace. */
    public NameScope in(String namespace) {
        return new NameScope(namespace, includesAll, users);
    }

    /** The same for whoever may read everything. */
    public NameScope unrestricted() {
        return new NameScope(home, true, users);
    }

    /**
     * A claim as {@code namespace/name}, without the namespace if it is that of the text, or without both if the reader must not know them; the
     * UID lets an administrator find it.
     */
    public String of(ClaimRef claim) {
        return includes(claim.namespace())
                ? claim.namespace().equals(home) ? claim.name() : claim.toString()
                : "a claim of another namespace (uid " + claim.uid() + ")";
    }

    /** A claim that would have to be released, with the pods that use it, and whether they are ending already. */
    public String withUsers(ClaimRef claim) {
        ClaimUse use = users.of(claim);
        String text = includes(claim.namespace()) ? use.text() : use.withoutNames();
        return of(claim) + (text.isEmpty() ? "" : " (" + text + ")");
    }

    /** Whether pods and claims of a namespace may be named. */
    public boolean includes(String other) {
        return includesAll || other.equals(home);
    }
}
