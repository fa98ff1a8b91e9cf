/**
 * The explainer: writes events where Kubernetes' own messages are not enough. kube-scheduler's message names neither the missing device nor
 * the claim that blocks it; a pod that names the wrong scheduler or none that exists, or whose claim does not exist, and a claim without a
 * pod, get no message at all. The explainer writes nothing but events.
 *
 * <p>{@code PendingWatchlist} tracks the affected pods and claims. After a change, {@link dev.fakegpu.operator.explainer.ExplainerController} passes
 * what {@code PodDemand} knows of each to {@code PendingReasons}, which uses {@code DeviceSources} to find out whose devices are requested,
 * and has {@link dev.fakegpu.engine.explain.Explainer} find what is missing. {@code EventText} has the sentences, {@code WrittenEvents} what was written already. {@code PassSchedule} determines
 * when that happens, and {@code ExplanationTurns} bounds how long it takes. Commands that read a cluster once use {@code PodDemand} and
 * {@code PendingReasons}, too.
 */
@NullMarked
package dev.fakegpu.operator.explainer;

import org.jspecify.annotations.NullMarked;
