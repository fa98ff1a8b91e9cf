/**
 * Prunes the allocator's search: {@link dev.fakegpu.engine.allocate.lookahead.ForwardCheck} tells in advance whether a partial allocation can
 * still be completed. Upstream has no counterpart; kube-scheduler tries every combination.
 *
 * <p>Everything here works on numbers and sets. {@link dev.fakegpu.engine.allocate.lookahead.RequestDemand} says how many devices a request
 * needs and which are eligible, {@link dev.fakegpu.engine.allocate.lookahead.ConstraintSupport} which devices have each value that a constraint
 * compares, and {@link dev.fakegpu.engine.allocate.lookahead.SearchState} what is left at the current point of the search. One check goes
 * through three steps:
 *
 * <ol>
 *   <li>{@code distinctAttribute}: are there as many values with a free device as there are devices missing?
 *   <li>{@code MatchScenarios} enumerates the values on which the {@code matchAttribute} constraints could agree.
 *   <li>For each scenario, a {@code Relaxation} counts what the eligible devices can serve at most. It adds up one
 *       {@code ParetoFrontier} for each {@code CounterComponent}: the devices, usually one GPU and its partitions, that depend on
 *       each other through shared counters.
 * </ol>
 *
 * <p>The check passes if one scenario serves everything that is missing. The package depends only on {@code dev.fakegpu.dra}, and only
 * {@code dev.fakegpu.engine.allocate} uses it.
 */
@NullMarked
package dev.fakegpu.engine.allocate.lookahead;

import org.jspecify.annotations.NullMarked;
