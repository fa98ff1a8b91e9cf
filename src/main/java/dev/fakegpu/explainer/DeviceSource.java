package dev.fakegpu.explainer;

import dev.fakegpu.api.FakeGpuSpec.AllocatorName;

/** A FakeGpu and who gives its devices away. */
record DeviceOwner(String fakeGpu, AllocatorName allocator) {}
