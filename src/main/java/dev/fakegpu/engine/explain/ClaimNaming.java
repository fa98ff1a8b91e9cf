package dev.fakegpu.engine.explain;

import dev.fakegpu.engine.explain.finding.NameScope;

/** The setting {@code explanations.names}: which names explanations show to users of a namespace. */
public enum ClaimNaming {
    /** The claims of all namespaces, and DeviceTaintRules. */
    Full,
    /** The claims of the reader's own namespace. */
    OwnNamespace;

    /** @param namespace the namespace of the object on which users read the text */
    public NameScope forReaderIn(String namespace) {
        return this == Full ? NameScope.all().in(namespace) : new NameScope(namespace);
    }
}
