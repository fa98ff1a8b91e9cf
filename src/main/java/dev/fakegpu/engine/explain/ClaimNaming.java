package dev.fakegpu.engine.explain;

import dev.fakegpu.dra.NameScope;

/** The setting {@code explanations.names}: what explanations name to users of a namespace. */
public enum ClaimNaming {
    /** Claims of all namespaces, and DeviceTaintRules. */
    Full,
    /** Claims of the reader's own namespace. */
    OwnNamespace;

    /** @param namespace of the object on which users read the text */
    public NameScope forReaderIn(String namespace) {
        return this == Full ? NameScope.all().in(namespace) : new NameScope(namespace);
    }
}
