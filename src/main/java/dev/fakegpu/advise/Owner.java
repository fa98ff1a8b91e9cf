package dev.fakegpu.advise;

import dev.fakegpu.api.FakeGpuSpec.Allocator;

/** A FakeGpu and who gives its devices away. */
record Owner(String fakeGpu, Allocator allocator) {}
