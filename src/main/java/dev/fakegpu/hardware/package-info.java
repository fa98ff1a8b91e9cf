/**
 * A FakeGpu's spec as hardware: {@code catalog} has the models, {@code inventory} plans counter sets and devices, {@code slices} distributes
 * them over ResourceSlices, {@code importer} goes the other way, and {@code dcgm} computes what dcgm-exporter would measure. Pure.
 *
 * <ul>
 *   <li>In: specs, slices, an instant.
 *   <li>Out: devices, slices with the writes that change them safely, readings, and problems with the field that causes each.
 *   <li>It must never know a cluster, who uses a device, or how devices are allocated.
 * </ul>
 */
@NullMarked
package dev.fakegpu.hardware;

import org.jspecify.annotations.NullMarked;
