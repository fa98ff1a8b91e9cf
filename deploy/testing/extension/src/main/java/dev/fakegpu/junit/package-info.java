/**
 * Tests against a real Kubernetes cluster with fake GPUs: {@link dev.fakegpu.junit.FakeGpuCluster} annotates a test class, and {@link
 * dev.fakegpu.junit.GpuAssertions} has assertions about its pods and claims.
 */
@NullMarked
package dev.fakegpu.junit;

import org.jspecify.annotations.NullMarked;
