/**
 * The companion: allocates waiting ResourceClaims and schedules pods that ask for {@code fakegpu-scheduler}. It decides with
 * {@link dev.fakegpu.allocate} on one thread, and writes what kube-scheduler would write.
 */
@NullMarked
package dev.fakegpu.schedule;

import org.jspecify.annotations.NullMarked;
