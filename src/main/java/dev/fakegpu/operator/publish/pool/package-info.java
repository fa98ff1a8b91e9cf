/**
 * Writes the objects of a FakeGpu. The input is a spec, nodes and claims. The output is simulated nodes, DeviceClasses and the slices of
 * each pool, and a {@code PublishResult} that says what was done, what was held back, and why. This package knows nothing about conditions,
 * or about what triggered the reconciliation.
 */
@NullMarked
package dev.fakegpu.operator.publish.pool;

import org.jspecify.annotations.NullMarked;
