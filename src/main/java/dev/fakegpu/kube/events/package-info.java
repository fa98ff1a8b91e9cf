/**
 * Kubernetes Events, the history that {@code kubectl describe} shows for an object: {@link dev.fakegpu.kube.events.EventReason} lists every
 * reason, {@link dev.fakegpu.kube.events.EventRecorder} writes them and counts repetitions.
 */
@NullMarked
package dev.fakegpu.kube.events;

import org.jspecify.annotations.NullMarked;
