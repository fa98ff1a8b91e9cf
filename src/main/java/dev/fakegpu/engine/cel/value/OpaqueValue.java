package dev.fakegpu.engine.cel.value;

import dev.cel.common.types.CelType;

/** A value of a type that Kubernetes adds to CEL. Expressions can call functions on it, but cannot read its content. */
public interface OpaqueValue {

    CelType type();

    /** The length from which call costs are computed. */
    default long size() {
        return 1;
    }
}
