/**
 * The ResourceSlices of a pool: which slice holds what, within the limits of the API, and what has to be written so that a pool
 * changes from one state to the next without a reader ever taking a mix of both for a pool.
 */
@NullMarked
package dev.fakegpu.slices;

import org.jspecify.annotations.NullMarked;
