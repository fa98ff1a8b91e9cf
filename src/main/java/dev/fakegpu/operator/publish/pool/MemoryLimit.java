package dev.fakegpu.operator.publish.pool;

import java.util.Optional;

/** Reports when this process has too little memory to publish more. Thread-safe. */
@FunctionalInterface
public interface MemoryLimit {

    MemoryLimit NONE = Optional::empty;

    /** A sentence that says how much memory is in use and what to change; empty while there is enough. */
    Optional<String> reached();
}
