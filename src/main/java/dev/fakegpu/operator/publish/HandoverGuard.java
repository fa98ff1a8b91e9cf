package dev.fakegpu.operator.publish;

import dev.fakegpu.api.FakeGpu;

/** Delays the handover of devices from the companion to kube-scheduler until the companion has stopped allocating them. */
@FunctionalInterface
public interface HandoverGuard {

    /**
     * Whether the companion no longer allocates devices of the FakeGpu, and no such allocation is in flight. The caller polls until this is
     * true.
     */
    boolean isSafe(FakeGpu fakeGpu);
}
