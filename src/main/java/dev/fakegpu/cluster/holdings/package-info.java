/**
 * Who holds which device of a cluster, from slices and claims of any driver: {@link dev.fakegpu.cluster.holdings.Holdings} makes one {@link
 * dev.fakegpu.cluster.holdings.Gpu} of the devices that share counters, with the claims that hold some of them, and says what that excludes.
 * {@link dev.fakegpu.cluster.holdings.HoldingsText} prints the result for {@code fakegpu who}.
 */
@NullMarked
package dev.fakegpu.cluster.holdings;

import org.jspecify.annotations.NullMarked;
