/**
 * Code that tests of several packages share: a real control plane, which is started as users start it, and assertions about ResourceClaims,
 * Pods and FakeGpus ({@link dev.fakegpu.testing.FakeGpuAssertions}).
 */
@NullMarked
package dev.fakegpu.testing;

import org.jspecify.annotations.NullMarked;
