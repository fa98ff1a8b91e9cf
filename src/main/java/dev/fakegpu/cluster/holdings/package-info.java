/**
 * Who holds which device of a cluster, from the slices and claims of any driver: {@link dev.fakegpu.cluster.holdings.Holdings} combines the
 * devices that share counters into one {@link dev.fakegpu.cluster.holdings.Gpu}, with the claims that hold some of them, and says what
 * these exclude. {@link dev.fakegpu.cluster.holdings.HoldingsText} prints the result for {@code fakegpu who}.
 */
@NullMarked
package dev.fakegpu.cluster.holdings;

import org.jspecify.annotations.NullMarked;
