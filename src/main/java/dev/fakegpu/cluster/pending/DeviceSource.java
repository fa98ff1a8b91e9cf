package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;

/** Where devices come from: a FakeGpu, and the scheduler that allocates its devices. */
public record DeviceSource(String fakeGpu, AllocatorName allocator) {}
