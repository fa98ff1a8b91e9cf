/**
 * GPU models as data: what a model is called, how MIG cuts it and which vGPU types it has. The numbers are in
 * {@code catalog/*.yaml}, each table with its provenance; a table that contradicts itself cannot be loaded.
 */
@NullMarked
package dev.fakegpu.catalog;

import org.jspecify.annotations.NullMarked;
