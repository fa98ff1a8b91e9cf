package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;

/** Who is asked before devices that the companion may give away are shown to another scheduler. */
@FunctionalInterface
public interface HandoverGuard {

    /** Whether the companion gives none of its devices away any more, and has no such decision under way; asked until it is so. */
    boolean isSafe(FakeGpu fakeGpu);
}
