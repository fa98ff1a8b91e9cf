/**
 * The state of one resource pool as the allocator's search reads and changes it: the pool as a node sees it, values computed from it, and
 * what is left of it.
 *
 * <ul>
 *   <li>{@code PoolBuilder} checks the slices of a pool and builds a {@link dev.fakegpu.engine.allocate.pool.Pool} from them.
 *   <li>{@code PoolCaches} keeps data that is computed from the pool's devices between calls: {@code SelectorMatches},
 *       {@code AttributeColumns} and {@code ConsumedCapacity}, the capacity that a request would consume. A {@code PoolTemplate} has the
 *       data that pools of the same hardware share: {@code CounterTable} (shared counters as whole numbers) and the positions of devices.
 *   <li>{@link dev.fakegpu.engine.allocate.pool.AllocatedDevices} are the devices that claims hold, and {@code CommittedState} is what they
 *       leave of a pool.
 *   <li>{@code PoolState} starts from there and follows the search: it takes devices, counters and capacity, and gives them back. A
 *       {@link dev.fakegpu.engine.allocate.pool.GroupState} holds the compatibility groups on one counter set.
 *
 * <p>Packages other than {@code dev.fakegpu.engine.allocate} use only {@code Pool}, {@code PoolDevice}, {@code AllocatedDevices},
 * {@code SelectorVerdict} and the types of compatibility groups. The package does not know claims, requests or constraints. It depends on
 * {@code dev.fakegpu.engine.allocate.lookahead} only to cache a pool's {@code CounterComponents}.
 */
@NullMarked
package dev.fakegpu.engine.allocate.pool;

import org.jspecify.annotations.NullMarked;
