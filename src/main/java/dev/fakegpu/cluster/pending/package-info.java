/**
 * Why pods and claims of a {@link dev.fakegpu.cluster.snapshot.ClusterSnapshot} are pending, in full: for {@code fakegpu explain}. {@link
 * dev.fakegpu.cluster.pending.PendingExplainer} finds the objects; {@code PodExplainer} and {@code ClaimExplainer} say for each what its first
 * obstacle is, with the sentences of the operator's explainer and companion; {@link dev.fakegpu.cluster.snapshot.Assumptions} says what had to be
 * assumed, and {@code Blind} what follows from what could not be read. {@link dev.fakegpu.cluster.pending.ReportText} and {@link
 * dev.fakegpu.cluster.pending.ReportJson} are the two forms of the answer. Nothing here uses a client or a clock.
 */
@NullMarked
package dev.fakegpu.cluster.pending;

import org.jspecify.annotations.NullMarked;
