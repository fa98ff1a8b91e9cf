/**
 * The explainer: writes events where Kubernetes does not say enough. kube-scheduler's message names neither the device that is missing nor the
 * claim that blocks it; a pod that names the wrong scheduler for its devices, and a claim without a pod, get no message at all. The explainer
 * writes nothing but events.
 *
 * <p>{@code PendingWatchlist} knows which pods and claims are concerned. {@link dev.fakegpu.explainer.ExplainerController} goes through them after a
 * change and asks {@code PendingReasons}, which decides with {@code DeviceSources} whose devices are requested, and has {@link
 * dev.fakegpu.explain.Explainer} find what is missing. {@code EventText} has the sentences.
 */
@NullMarked
package dev.fakegpu.explainer;

import org.jspecify.annotations.NullMarked;
