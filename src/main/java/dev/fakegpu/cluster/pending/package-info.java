/**
 * Explains in full, for {@code fakegpu explain}, why the pods and claims of a {@link dev.fakegpu.cluster.snapshot.ClusterSnapshot} are
 * pending. {@link dev.fakegpu.cluster.pending.PendingExplainer} finds the objects; {@code PodExplainer} and {@code ClaimExplainer} find the
 * first obstacle of each, with the sentences of the operator's explainer and companion; {@link dev.fakegpu.cluster.snapshot.Assumptions}
 * has the assumptions about schedulers, and {@code Blind} has the consequences of what could not be read. {@link
 * dev.fakegpu.cluster.pending.ReportText} and {@link dev.fakegpu.cluster.pending.ReportJson} are the two forms of the answer. Nothing here
 * uses a client or a clock.
 */
@NullMarked
package dev.fakegpu.cluster.pending;

import org.jspecify.annotations.NullMarked;
