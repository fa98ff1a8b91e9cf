/**
 * The allocator: which devices a node can give to a set of claims, with the same answer as kube-scheduler's. It follows upstream's
 * "experimental" structured allocator ({@code k8s.io/dynamic-resource-allocation/structured/internal/experimental}, v0.37.1).
 *
 * <p>{@link dev.fakegpu.allocate.SliceIndex} puts slices together to the pools that a node sees. {@code RequestValidator} checks what is
 * asked. {@code Search} tries devices in upstream's order, {@code PartialAllocation} and {@code PoolState} keep account of what is picked, and
 * {@code ForwardCheck} turns a search that is stuck away from what cannot work. {@code ResultAssembler} writes the answer;
 * {@link dev.fakegpu.allocate.Inspector} says for explanations what stands in a device's way.
 */
@NullMarked
package dev.fakegpu.allocate;

import org.jspecify.annotations.NullMarked;
