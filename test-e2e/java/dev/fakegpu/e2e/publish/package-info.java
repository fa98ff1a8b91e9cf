/**
 * From FakeGpus to ResourceSlices, DeviceClasses, simulated nodes and status: what the operator stores, refuses, and restores.
 */
@NullMarked
package dev.fakegpu.e2e.publish;

import org.jspecify.annotations.NullMarked;
