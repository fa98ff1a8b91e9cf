/**
 * GPU models as data: its name, how MIG divides it, and its vGPU types. The numbers are in
 * {@code catalog/*.yaml}, each table with its provenance; a table with contradictions cannot be loaded.
 */
@NullMarked
package dev.fakegpu.catalog;

import org.jspecify.annotations.NullMarked;
