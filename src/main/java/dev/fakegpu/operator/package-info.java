/**
 * Acts: {@code publish} turns FakeGpus into ResourceSlices and simulated nodes, {@code schedule} allocates claims and binds pods, {@code
 * kubelet} runs pods on simulated nodes, {@code prepare} checks allocations as a driver does, in simulation or as a kubelet plugin, and
 * {@code explainer} writes events that say why a pod or claim is waiting.
 *
 * <ul>
 *   <li>In: changes of objects that {@code kube.watch} reports, and calls of the kubelet.
 *   <li>Out: writes through {@code kube.client}, and files for containers.
 *   <li>It must never know the process that it runs in: settings, clock and client come by constructor, so that a simulation can run the
 *       same parts.
 * </ul>
 */
@NullMarked
package dev.fakegpu.operator;

import org.jspecify.annotations.NullMarked;
