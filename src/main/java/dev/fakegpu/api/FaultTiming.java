package dev.fakegpu.api;

import org.jspecify.annotations.Nullable;

/** When a fault of a device or node takes effect. */
public sealed interface FaultTiming permits FaultSpec, NodeFaultSpec {

    /** Unique among all faults of the FakeGpu. */
    String name();

    /** A duration in the format of {@link FaultSpec#AFTER}. */
    @Nullable String after();

    /** A time in RFC 3339; replaces {@link #after}. */
    @Nullable String at();

    /** A duration in the format of {@link FaultSpec#FOR}. */
    @Nullable String lasts();
}
