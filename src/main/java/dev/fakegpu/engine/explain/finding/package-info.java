/**
 * The findings about claims that cannot be allocated, as data, as one sentence that users can act on, and as a table.
 *
 * <p>The input is the {@link dev.fakegpu.engine.explain.finding.Finding}s of each node, with the
 * {@link dev.fakegpu.engine.explain.finding.ValuesThere values} that its devices have where others are requested, the values that must be
 * {@link dev.fakegpu.engine.explain.finding.Alignment equal}, and a {@link dev.fakegpu.engine.explain.finding.Remedy} if there is one. The
 * output is an {@link dev.fakegpu.engine.explain.finding.Explanation}. {@code Sentence} and {@code FindingTable} format it; {@code Phrases}
 * shows each reader only the names that the {@link dev.fakegpu.engine.explain.finding.NameScope} allows. This package does not know how the findings were
 * made: it has no state of pools, no search, and no budget.
 */
@NullMarked
package dev.fakegpu.engine.explain.finding;

import org.jspecify.annotations.NullMarked;
