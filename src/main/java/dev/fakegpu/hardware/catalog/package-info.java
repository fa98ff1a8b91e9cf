/**
 * GPU models as data: the name of each, how MIG divides it, and its vGPU types. The numbers are in
 * {@code catalog/*.yaml}, each table with its provenance; an inconsistent table is not loaded.
 */
@NullMarked
package dev.fakegpu.hardware.catalog;

import org.jspecify.annotations.NullMarked;
