/**
 * Which devices of a pool can be allocated together, by compatibility groups (KEP-5963) and shared counters (KEP-4815), and what is
 * questionable in how a driver declares them. How many fit at once is asked of the allocator.
 */
@NullMarked
package dev.fakegpu.matrix;

import org.jspecify.annotations.NullMarked;
