/**
 * Kubernetes Events, the history that {@code kubectl describe} shows for an object: {@link dev.fakegpu.events.EventReason} lists every
 * reason, {@link dev.fakegpu.events.EventRecorder} writes them and counts repetitions.
 */
@NullMarked
package dev.fakegpu.events;

import org.jspecify.annotations.NullMarked;
