/**
 * The explainer: says why to those whom a scheduler refused without saying it. kube-scheduler's message does not tell which device
 * or holder is in the way, nobody tells a pod that it asks the wrong scheduler, and a claim without a pod is told by nobody what it
 * waits for. It reads everything and writes nothing but events.
 */
@NullMarked
package dev.fakegpu.explainer;

import org.jspecify.annotations.NullMarked;
