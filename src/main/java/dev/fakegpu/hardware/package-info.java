/**
 * Converts the spec of a FakeGpu to hardware. {@code catalog} has the models, {@code inventory} plans counter sets and devices,
 * {@code slices} distributes them over ResourceSlices, {@code importer} converts ResourceSlices back to FakeGpus, and {@code dcgm} computes
 * what dcgm-exporter would measure. Pure.
 *
 * <ul>
 *   <li>In: specs, slices, an instant.
 *   <li>Out: devices, slices with the writes that change them safely, readings, and problems with the field that causes each.
 *   <li>This package must never know a cluster, who uses a device, or how devices are allocated.
 * </ul>
 */
@NullMarked
package dev.fakegpu.hardware;

import org.jspecify.annotations.NullMarked;
