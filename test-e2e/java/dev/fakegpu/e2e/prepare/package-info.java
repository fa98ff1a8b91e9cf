/**
 * Preparation on simulated nodes, where the operator plays the kubelet: configuration, container status, injected faults, device
 * health.
 */
@NullMarked
package dev.fakegpu.e2e.prepare;

import org.jspecify.annotations.NullMarked;
