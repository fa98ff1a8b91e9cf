/**
 * Tests from FakeGpus to ResourceSlices, DeviceClasses, simulated nodes and status: which objects the operator stores, refuses, and
 * restores.
 */
@NullMarked
package dev.fakegpu.e2e.publish;

import org.jspecify.annotations.NullMarked;
