/**
 * The allocator: decides which devices of a node a set of claims gets, with the same answer as kube-scheduler. It follows upstream's
 * "experimental" structured allocator ({@code k8s.io/dynamic-resource-allocation/structured/internal/experimental}, v0.37.1).
 *
 * <p>One call of {@link dev.fakegpu.engine.allocate.Allocator#allocate(NodeInfo, java.util.List, SearchLimit)} goes through these steps:
 *
 * <ol>
 *   <li>{@link dev.fakegpu.engine.allocate.SliceIndex} finds the node's slices and builds a {@link dev.fakegpu.engine.allocate.pool.Pool}
 *       from each complete set. Pools are kept between calls, together with their {@code PoolCaches}: counters as numbers, selector
 *       matches, and attribute values.
 *   <li>{@code RequestValidator} checks the claims and resolves each request to its {@code RequestVariant}s: the alternatives of
 *       {@code firstAvailable}, or the request itself.
 *   <li>{@code CommittedState} computes what the {@link dev.fakegpu.engine.allocate.pool.AllocatedDevices} leave of each pool.
 *   <li>{@code Search} tries devices depth first, in upstream's order. {@code Candidates} decides which devices are eligible (selectors,
 *       taints, capacity). {@code PartialAllocation} picks a device if {@code PoolState} has enough counters and capacity for it, its
 *       compatibility groups fit, and {@code ClaimConstraints} accept its attributes. It puts the device back when the branch fails.
 *   <li>A search that had to undo too many picks is restarted with a forward check ({@link dev.fakegpu.engine.allocate.lookahead}), which
 *       prunes branches that cannot succeed. This changes the time, never the answer.
 *   <li>{@code ResultAssembler} converts the picks to allocation results.
 * </ol>
 *
 * <p>The {@link dev.fakegpu.engine.allocate.SearchLimit} can end the attempt in each of these steps, even in the middle of a selector
 * ({@code LimitCheck}).
 *
 * <p>After a failure, {@link dev.fakegpu.engine.allocate.Diagnoser} goes through the same steps without searching and returns the
 * {@link dev.fakegpu.engine.allocate.refusal.Refusal} of each device.
 *
 * <p>The subpackages do not depend on this package. {@link dev.fakegpu.engine.allocate.pool} has the pools, what is cached with them, and
 * what is left of them; {@link dev.fakegpu.engine.allocate.lookahead} has the forward check; {@link dev.fakegpu.engine.allocate.refusal}
 * has the reasons why devices are refused.
 */
@NullMarked
package dev.fakegpu.engine.allocate;

import org.jspecify.annotations.NullMarked;
