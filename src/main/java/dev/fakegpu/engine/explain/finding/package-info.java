/**
 * What was found out about claims that cannot be allocated, as data, as one sentence that users can act on, and as a table.
 *
 * <p>In go the {@link dev.fakegpu.engine.explain.finding.Finding} of each node, with what the devices there have of the {@link
 * dev.fakegpu.engine.explain.finding.ValuesThere values} that are asked for and of those that must be {@link
 * dev.fakegpu.engine.explain.finding.Alignment equal}, and a {@link dev.fakegpu.engine.explain.finding.Remedy} if there is one. Out comes an
 * {@link dev.fakegpu.engine.explain.finding.Explanation}, of which {@code Sentence} and {@code FindingTable} write what readers may know: {@code
 * Phrases} names to each of them only what the {@link dev.fakegpu.dra.NameScope} allows. How it was found out is not known here: no state of
 * pools, no search, and no budget.
 */
@NullMarked
package dev.fakegpu.engine.explain.finding;

import org.jspecify.annotations.NullMarked;
