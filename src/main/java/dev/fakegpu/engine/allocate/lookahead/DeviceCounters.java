package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * What one device consumes from its pool's counter sets. The arrays must not be written to.
 *
 * @param columns the numbers of counters in the pool; a number can occur twice
 * @param amounts one amount per column, not negative
 * @param sets the numbers of counter sets, one for each consumption entry of the device
 * @param groups the compatibility groups that the device declares in each of these entries
 */
public record DeviceCounters(int[] columns, long[] amounts, int[] sets, List<List<String>> groups) {}
