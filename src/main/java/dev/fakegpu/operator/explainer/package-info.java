/**
 * The explainer: writes events where the messages of Kubernetes are not enough. kube-scheduler's message names neither the missing device
 * nor the claim that blocks it. There is no message at all for a pod with a wrong or nonexistent scheduler, a pod whose claim does not
 * exist, and a claim without a pod. The explainer writes only events.
 *
 * <p>{@code PendingWatchlist} tracks the affected pods and claims. After a change, {@link
 * dev.fakegpu.operator.explainer.ExplainerController} passes what {@code PodDemand} knows about each of them to {@code PendingReasons},
 * which uses {@code DeviceSources} to find out whose devices are requested, and calls {@link dev.fakegpu.engine.explain.Explainer} to find
 * out what is missing. {@code EventText} has the sentences, and {@code WrittenEvents} what was already written. {@code PassSchedule}
 * determines when that happens, and {@code ExplanationTurns} bounds how long it takes. Commands that read a cluster once also use {@code
 * PodDemand} and {@code PendingReasons}.
 */
@NullMarked
package dev.fakegpu.operator.explainer;

import org.jspecify.annotations.NullMarked;
