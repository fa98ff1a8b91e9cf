/**
 * How many more claims fit at once into what is left of a cluster's devices. {@link dev.fakegpu.engine.headroom.Headroom} has the allocator's
 * {@link dev.fakegpu.engine.allocate.Diagnoser} judge each device; {@code Packing} finds the largest set of devices that the
 * counters and compatibility groups in {@link dev.fakegpu.engine.headroom.PoolRemainder} allow together, and {@code Copies} asks the allocator
 * itself where claims want several devices that must go together, {@code JoinedNodes} for several nodes that share devices. {@link dev.fakegpu.engine.headroom.PoolStatusEstimate} is what Kubernetes'
 * ResourcePoolStatusRequest answers instead.
 */
@NullMarked
package dev.fakegpu.engine.headroom;

import org.jspecify.annotations.NullMarked;
