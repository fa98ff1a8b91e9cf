/**
 * Shows which devices of a pool can be allocated together, by compatibility groups (KEP-5963) and shared counters (KEP-4815), and lints for
 * questionable declarations. {@code Matrix} finds equal counter sets, {@code Kind} groups their devices, {@code Cell} compares two kinds,
 * and {@link dev.fakegpu.engine.headroom.Packing} counts how many devices of a kind fit at once. {@code MatrixText} prints the result for
 * {@code fakegpu matrix}.
 */
@NullMarked
package dev.fakegpu.engine.matrix;

import org.jspecify.annotations.NullMarked;
