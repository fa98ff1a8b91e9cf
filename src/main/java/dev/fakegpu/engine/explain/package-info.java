/**
 * Finds out why claims cannot be allocated. kube-scheduler says only "cannot allocate all claims"; this package names the device, the
 * counter set, the groups, and the claim that blocks it. The input is the pools, nodes and claims of the allocator; the output is an
 * {@link dev.fakegpu.engine.explain.finding.Explanation}. The subpackage {@code finding} has its wording and tables.
 *
 * <p>{@link dev.fakegpu.engine.explain.Explainer} goes through the nodes. For each node, {@code NodeExplainer} finds the request that
 * fails, and {@link dev.fakegpu.engine.allocate.Diagnoser} checks every device, so that the allocator's rules are not duplicated.
 * {@code RefusalCounts} groups the refusals in a {@link dev.fakegpu.engine.explain.finding.Finding}; {@code AlignmentFinder} and
 * {@code ValuesFinder} add what devices have. {@code NearestFinding} chooses the finding to report, for which {@code RemedyFinder} tries
 * possible remedies. If there is none, {@code NeverFits} tries empty hardware, and {@code EverlastingFindings} does so for alternatives of
 * requests, and for requests for more devices than a node has. To explain the same claims repeatedly, keep
 * {@link dev.fakegpu.engine.explain.KnownFindings}, so that only nodes that have changed are inspected; {@code NodeInputs} has the input on
 * which findings depend.
 */
@NullMarked
package dev.fakegpu.engine.explain;

import org.jspecify.annotations.NullMarked;
