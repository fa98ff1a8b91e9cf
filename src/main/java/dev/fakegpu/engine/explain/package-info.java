/**
 * Finds out why claims cannot be allocated. kube-scheduler says only "cannot allocate all claims"; this package names the device, the counter
 * set, the groups, and the claim that blocks it. In go the pools, the nodes and the claims, as the allocator has them; out comes an {@link
 * dev.fakegpu.engine.explain.finding.Explanation}, whose words and tables are those of {@code finding}.
 *
 * <p>{@link dev.fakegpu.engine.explain.Explainer} goes through the nodes. For each, {@code NodeExplainer} finds the request that fails and has
 * {@link dev.fakegpu.engine.allocate.Diagnoser} check every device, so that there is no second copy of the allocator's rules. {@code
 * RefusalCounts} groups the refusals into a {@link dev.fakegpu.engine.explain.finding.Finding}; {@code AlignmentFinder} and {@code ValuesFinder}
 * add what devices have. {@code NearestFinding} chooses the one to tell, for which {@code RemedyFinder} tries what would help; where nothing
 * does, {@code NeverFits} tries empty hardware, and {@code EverlastingFindings} does so for alternatives of requests, and for requests for more
 * than a node has. Who explains the same claims again and again keeps {@link dev.fakegpu.engine.explain.KnownFindings}, so that only nodes that
 * have changed are inspected; {@code NodeInputs} says what findings depend on.
 */
@NullMarked
package dev.fakegpu.engine.explain;

import org.jspecify.annotations.NullMarked;
