/**
 * Counts how many more claims fit at once into what is left of a cluster's devices. {@link dev.fakegpu.engine.headroom.Headroom} uses the
 * allocator's {@link dev.fakegpu.engine.allocate.Diagnoser} to judge each device. {@code Packing} finds the largest set of devices that the
 * counters and compatibility groups in {@link dev.fakegpu.engine.headroom.PoolRemainder} allow together. If claims need several devices
 * that must fit together, {@code Copies} runs the allocator itself, and {@code JoinedNodes} does so for several nodes that share devices.
 * {@link dev.fakegpu.engine.headroom.PoolStatusEstimate} is the answer of Kubernetes' ResourcePoolStatusRequest, for comparison.
 */
@NullMarked
package dev.fakegpu.engine.headroom;

import org.jspecify.annotations.NullMarked;
