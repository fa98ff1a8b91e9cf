/**
 * Writes what a FakeGpu consists of. In go a spec, nodes and claims; out come simulated nodes, DeviceClasses and the slices of each pool, and
 * with {@code PublishResult} what was done, what was held back, and why. It never knows conditions, or what caused the reconcile.
 */
@NullMarked
package dev.fakegpu.operator.publish.pool;

import org.jspecify.annotations.NullMarked;
