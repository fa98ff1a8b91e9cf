/**
 * What tests of several packages share: a real control plane, started the way a person starts one, and assertions about ResourceClaims,
 * Pods and FakeGpus ({@link dev.fakegpu.testing.FakeGpuAssertions}).
 */
@NullMarked
package dev.fakegpu.testing;

import org.jspecify.annotations.NullMarked;
