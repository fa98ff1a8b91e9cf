/**
 * The allocator: decides which devices of a node a set of claims gets, with the same answer as kube-scheduler. It follows upstream's
 * "experimental" structured allocator ({@code k8s.io/dynamic-resource-allocation/structured/internal/experimental}, v0.37.1).
 *
 * <p>One call of {@link dev.fakegpu.engine.allocate.Allocator#allocate(NodeInfo, java.util.List, SearchLimit)} goes through these steps:
 *
 * <ol>
 *   <li>{@link dev.fakegpu.engine.allocate.SliceIndex} finds the node's slices and builds a {@link dev.fakegpu.engine.allocate.pool.Pool} from each
 *       complete set. Pools are kept between calls, and with them the {@code PoolCaches}: counters as numbers, selector matches,
 *       attribute values.
 *   <li>{@code RequestValidator} checks the claims and resolves each request to its {@code RequestVariant}s: the alternatives of
 *       {@code firstAvailable}, or the request itself.
 *   <li>{@code CommittedState} says what the {@link dev.fakegpu.engine.allocate.pool.AllocatedDevices} leave of each pool.
 *   <li>{@code Search} tries devices depth first, in upstream's order. {@code Candidates} says which devices are eligible (selectors,
 *       taints, capacity), {@code PartialAllocation} picks a device if {@code PoolState} has the counters, compatibility groups and
 *       capacity for it and {@code ClaimConstraints} accept its attributes, and puts it back when the branch fails.
 *   <li>A search that had to undo too many picks starts again with a forward check ({@link dev.fakegpu.engine.allocate.lookahead}), which
 *       prunes branches that cannot succeed. It changes the time, never the answer.
 *   <li>{@code ResultAssembler} turns the picks into allocation results.
 * </ol>
 *
 * <p>In each of these steps the {@link dev.fakegpu.engine.allocate.SearchLimit} can end the attempt, also in the middle of a selector ({@code
 * LimitCheck}).
 *
 * <p>After a failure, {@link dev.fakegpu.engine.allocate.Diagnoser} goes through the same steps without searching and returns the
 * {@link dev.fakegpu.engine.allocate.refusal.Refusal} of each device.
 *
 * <p>The packages inside do not depend on this one: {@link dev.fakegpu.engine.allocate.pool} has the pools, what is cached with them, and what
 * is left of them; {@link dev.fakegpu.engine.allocate.lookahead} the forward check; {@link dev.fakegpu.engine.allocate.refusal} the reasons why
 * devices are refused.
 */
@NullMarked
package dev.fakegpu.engine.allocate;

import org.jspecify.annotations.NullMarked;
