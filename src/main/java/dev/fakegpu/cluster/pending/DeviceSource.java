package dev.fakegpu.cluster.pending;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;

/** The source of devices: a FakeGpu, and the scheduler that allocates its devices. */
public record DeviceSource(String fakeGpu, AllocatorName allocator) {}
