/**
 * Who holds which device of a cluster, from slices and claims of any driver: {@link dev.fakegpu.holdings.Holdings} makes one {@link
 * dev.fakegpu.holdings.Gpu} of the devices that share counters, with the claims that hold some of them, and says what that excludes.
 * {@link dev.fakegpu.holdings.HoldingsText} prints the result for {@code fakegpu who}.
 */
@NullMarked
package dev.fakegpu.holdings;

import org.jspecify.annotations.NullMarked;
