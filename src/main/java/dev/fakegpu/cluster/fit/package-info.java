/**
 * Checks whether a node fits a pod apart from devices, as kube-scheduler's filters do: {@code NodeFit} (readiness, taints, node affinity),
 * {@code NodeUsage} (resources), {@code PodFit} (both, and where allocated claims can be used). {@code ExtendedResourceClaim} is the claim
 * for extended resources. {@code FitMessages} has the wording.
 */
@NullMarked
package dev.fakegpu.cluster.fit;

import org.jspecify.annotations.NullMarked;
