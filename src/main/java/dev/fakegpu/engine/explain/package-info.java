/**
 * Why claims cannot be allocated: as data, as one sentence that users can act on, and as a table. kube-scheduler says only "cannot
 * allocate all claims"; this package names the device, the counter set, the groups, and the claim that blocks it.
 *
 * <p>{@link dev.fakegpu.engine.explain.Explainer} goes through the nodes. For each, {@code NodeExplainer} finds the request that fails and has
 * {@link dev.fakegpu.engine.allocate.Diagnoser} check every device, so that there is no second copy of the allocator's rules. {@code
 * RefusalCounts} groups the refusals into a {@link dev.fakegpu.engine.explain.Finding}. {@code NearestFinding} chooses the one to tell, for which
 * {@code RemedyFinder} tries what would help; where nothing does, {@code NeverFits} tries empty hardware, and {@code
 * EverlastingFindings} does so for alternatives of requests, and for requests for more than a node has. {@code Sentence} and {@code
 * FindingTable} write the result, with what {@code NodeSummary} counts and the wording of {@code Phrases}, which names to each reader only
 * what the {@link dev.fakegpu.dra.NameScope} allows. Who explains the same claims again and again keeps {@link
 * dev.fakegpu.engine.explain.KnownFindings}, so that only nodes that have changed are inspected; {@code NodeInputs} says what findings depend on.
 */
@NullMarked
package dev.fakegpu.engine.explain;

import org.jspecify.annotations.NullMarked;
