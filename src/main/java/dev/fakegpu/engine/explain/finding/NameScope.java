package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import org.jspecify.annotations.Nullable;

/**
 * Which names a text may contain, depending on its readers: either the claims of all namespaces and the names of cluster-scoped objects, or
 * only the claims of the readers' namespace.
 *
 * @param home the namespace that the text is about, which it does not repeat; null if the text is about several
 * @param includesAll whether the text may name objects that users of a namespace usually cannot read
 * @param users finds out who uses a claim; the text names the users together with their claims
 */
public record NameScope(@Nullable String home, boolean includesAll, ClaimUsers users) {

    private static final NameScope ALL = new NameScope(null, true, ClaimUsers.UNKNOWN);

    /** A scope for users of a namespace, in texts that do not say who uses claims. */
    public NameScope(String namespace) {
        this(namespace, false, ClaimUsers.UNKNOWN);
    }

    /** A scope for readers who may read everything: the log, and the command line. */
    public static NameScope all() {
        return ALL;
    }

    public NameScope with(ClaimUsers newUsers) {
        return new NameScope(home, includesAll, newUsers);
    }

    /** The same scope for a text about a namespace. */
    public NameScope in(String namespace) {
        return new NameScope(namespace, includesAll, users);
    }

    /** The same scope for readers who may read everything. */
    public NameScope unrestricted() {
        return new NameScope(home, true, users);
    }

    /**
     * A claim as {@code namespace/name}, without the namespace if the text is about that one. If the readers must not see both, the text
     * has the UID instead, with which an administrator can find the claim.
     */
    public String of(ClaimRef claim) {
        return includes(claim.namespace())
                ? claim.namespace().equals(home) ? claim.name() : claim.toString()
                : "a claim of another namespace (uid " + claim.uid() + ")";
    }

    /** A claim that must be released first, with the pods that use it, and whether its use is ending already. */
    public String withUsers(ClaimRef claim) {
        ClaimUse use = users.of(claim);
        String text = includes(claim.namespace()) ? use.text() : use.withoutNames();
        return of(claim) + (text.isEmpty() ? "" : " (" + text + ")");
    }

    /** Whether the text may name pods and claims of the namespace. */
    public boolean includes(String other) {
        return includesAll || other.equals(home);
    }
}
