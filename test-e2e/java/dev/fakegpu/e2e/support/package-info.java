/**
 * What end-to-end tests share. {@link dev.fakegpu.e2e.support.ClusterExtension} gives a test class a control plane and an operator,
 * {@link dev.fakegpu.e2e.support.FakeGpuFixture} the FakeGpus of a test and what the operator makes of them, and {@link
 * dev.fakegpu.e2e.support.ClusterScenario} a namespace with claims and pods that use one FakeGpu.
 */
@NullMarked
package dev.fakegpu.e2e.support;

import org.jspecify.annotations.NullMarked;
