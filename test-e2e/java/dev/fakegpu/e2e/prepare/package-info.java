/**
 * Tests of preparation on simulated nodes, for which the operator replaces the kubelet: configuration, container status, injected faults,
 * device health.
 */
@NullMarked
package dev.fakegpu.e2e.prepare;

import org.jspecify.annotations.NullMarked;
