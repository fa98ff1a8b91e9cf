package dev.fakegpu.operator.publish.pool;

import java.util.Optional;

/** Says when the memory of this process does not allow to publish more. Thread-safe. */
@FunctionalInterface
public interface MemoryLimit {

    MemoryLimit NONE = Optional::empty;

    /** How much memory is in use, and what to change, as a sentence; empty while there is enough. */
    Optional<String> reached();
}
