/**
 * Prunes the allocator's search: {@link dev.fakegpu.engine.allocate.lookahead.ForwardCheck} determines whether a partial allocation can
 * still be completed. Upstream has no counterpart; kube-scheduler tries every combination.
 *
 * <p>All classes here work on numbers and sets. {@link dev.fakegpu.engine.allocate.lookahead.RequestDemand} says how many devices a request
 * needs and which are eligible, {@link dev.fakegpu.engine.allocate.lookahead.ConstraintSupport} says which devices have each value that a
 * constraint compares, and {@link dev.fakegpu.engine.allocate.lookahead.SearchState} says what is left at the current point of the search.
 * A check has three steps:
 *
 * <ol>
 *   <li>{@code distinctAttribute}: the check compares the number of values that free devices have with the number of missing devices.
 *   <li>{@code MatchScenarios} enumerates the values on which the {@code matchAttribute} constraints could agree.
 *   <li>For each scenario, a {@code Relaxation} computes an upper bound of what the eligible devices can serve. It adds up one
 *       {@code ParetoFrontier} per {@code CounterComponent}: the devices that depend on each other through shared counters, usually one GPU
 *       and its partitions.
 * </ol>
 *
 * <p>The check passes if any scenario serves everything that is missing. The package depends only on {@code dev.fakegpu.dra}, and only
 * {@code dev.fakegpu.engine.allocate} uses it.
 */
@NullMarked
package dev.fakegpu.engine.allocate.lookahead;

import org.jspecify.annotations.NullMarked;
