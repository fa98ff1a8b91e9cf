/**
 * GPU models as data: their names, how MIG divides them, and their vGPU types. The numbers are in {@code catalog/*.yaml}. Each table has
 * its provenance; an inconsistent table is not loaded.
 */
@NullMarked
package dev.fakegpu.hardware.catalog;

import org.jspecify.annotations.NullMarked;
