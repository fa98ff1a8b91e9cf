/**
 * The ResourceSlices of a pool. {@link dev.fakegpu.slices.PoolLayout} distributes an inventory over slices within the API's
 * limits, {@link dev.fakegpu.slices.Retention} keeps devices in use unchanged, {@link dev.fakegpu.slices.ServedFields}
 * removes fields that the API server would drop, and {@link dev.fakegpu.slices.PoolPlan} computes the writes, ordered so that
 * readers never see a mix of two states as a complete pool.
 */
@NullMarked
package dev.fakegpu.slices;

import org.jspecify.annotations.NullMarked;
