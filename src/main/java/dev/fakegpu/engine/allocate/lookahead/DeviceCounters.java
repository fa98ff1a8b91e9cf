package dev.fakegpu.engine.allocate.lookahead;

import java.util.List;

/**
 * What one device consumes of its pool's counter sets. The arrays must not be written to.
 *
 * @param columns numbers of counters in the pool; one may occur twice
 * @param amounts one for each column, not negative
 * @param sets numbers of counter sets, one for each consumption entry of the device
 * @param groups the compatibility groups that the device declares in each of these entries
 */
public record DeviceCounters(int[] columns, long[] amounts, int[] sets, List<List<String>> groups) {}
