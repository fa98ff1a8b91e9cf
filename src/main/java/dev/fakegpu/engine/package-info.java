/**
 * Makes and explains decisions. {@code cel} evaluates device selectors, {@code allocate} finds devices for claims as kube-scheduler does,
 * {@code explain} says why there are none, {@code headroom} counts how many more claims fit, {@code gang} places pods all or none,
 * {@code preemption} finds the pods to evict, {@code matrix} shows which devices can coexist, and {@code problemfile} reads and writes
 * problems as JSON. Pure, except for {@code problemfile}.
 *
 * <ul>
 *   <li>In: slices, classes, claims and nodes as values of {@code dra}.
 *   <li>Out: allocations, and reasons as data and as sentences.
 *   <li>This package must never know a client, a clock, a FakeGpu, or for whom it answers.
 * </ul>
 */
@NullMarked
package dev.fakegpu.engine;

import org.jspecify.annotations.NullMarked;
