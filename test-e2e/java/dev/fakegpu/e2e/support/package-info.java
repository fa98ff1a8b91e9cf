/**
 * Code that end-to-end tests share. {@link dev.fakegpu.e2e.support.ClusterExtension} gives a test class a control plane and an operator,
 * {@link dev.fakegpu.e2e.support.FakeGpuFixture} has the FakeGpus of a test and their published objects, and {@link
 * dev.fakegpu.e2e.support.ClusterScenario} has a namespace with claims and pods that use one FakeGpu.
 */
@NullMarked
package dev.fakegpu.e2e.support;

import org.jspecify.annotations.NullMarked;
