package dev.fakegpu.api;

import org.jspecify.annotations.Nullable;

/** A fault that takes effect at some point in time: of a device or of a node. */
public sealed interface FaultTiming permits FaultSpec, NodeFaultSpec {

    /** Unique among all faults of the FakeGpu. */
    String name();

    /** As {@link FaultSpec#AFTER}. */
    @Nullable String after();

    /** In RFC 3339; replaces {@link #after}. */
    @Nullable String at();

    /** As {@link FaultSpec#FOR}. */
    @Nullable String lasts();
}
