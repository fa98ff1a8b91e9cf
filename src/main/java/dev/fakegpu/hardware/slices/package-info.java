/**
 * The ResourceSlices of a pool. {@link dev.fakegpu.hardware.slices.PoolLayout} distributes an inventory over slices within the API's
 * limits, {@link dev.fakegpu.hardware.slices.Retention} keeps devices in use unchanged, {@link dev.fakegpu.hardware.slices.ServedFields}
 * removes fields that the API server would drop, and {@link dev.fakegpu.hardware.slices.PoolPlan} computes the writes, ordered so that
 * readers never see a mix of two states as a complete pool.
 */
@NullMarked
package dev.fakegpu.hardware.slices;

import org.jspecify.annotations.NullMarked;
