/**
 * Helpers that several rooms share: {@link dev.fakegpu.util.CoalescingWorker} and {@link dev.fakegpu.util.YieldPolicy} for background work,
 * {@link dev.fakegpu.util.SafeText} for all text that is shown to people, {@link dev.fakegpu.util.Suggestion} for misspelled names,
 * {@link dev.fakegpu.util.FieldShape} for what a field may contain, {@link dev.fakegpu.util.FatalErrors}, and
 * {@link dev.fakegpu.util.Sha256}.
 *
 * <ul>
 *   <li>In and out: values of the JDK.
 *   <li>This package must never know Kubernetes, devices or another room.
 * </ul>
 */
@NullMarked
package dev.fakegpu.util;

import org.jspecify.annotations.NullMarked;
