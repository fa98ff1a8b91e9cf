package dev.fakegpu.dashboard.server;

import java.util.Set;

/**
 * The names that a caller may see. Other information is shown to every caller: devices, their use, and that something is waiting. Labels
 * of nodes, which may name tenants, are shown only to callers who may see everything.
 *
 * @param pods the namespaces whose pods may be named
 * @param claims the namespaces whose claims may be named, and whose requests may be shown
 * @param taintRules whether DeviceTaintRules may be named
 */
public record Visibility(Namespaces pods, Namespaces claims, boolean taintRules) {

    /** Every name. */
    public static final Visibility EVERYTHING = new Visibility(Namespaces.ALL, Namespaces.ALL, true);

    /** No name of a pod, a claim, a namespace or a DeviceTaintRule. */
    public static final Visibility NO_NAMES = new Visibility(Namespaces.NONE, Namespaces.NONE, false);

    /** @param names only used if not all namespaces are included */
    public record Namespaces(boolean all, Set<String> names) {

        public static final Namespaces ALL = new Namespaces(true, Set.of());
        public static final Namespaces NONE = new Namespaces(false, Set.of());

        public Namespaces {
            names = Set.copyOf(names);
        }

        boolean include(String namespace) {
            return all || names.contains(namespace);
        }
    }

    /** Whether the namespace itself may be named. */
    boolean namesAnythingIn(String namespace) {
        return pods.include(namespace) || claims.include(namespace);
    }

    boolean namesEverythingIn(String namespace) {
        return pods.include(namespace) && claims.include(namespace);
    }
}
