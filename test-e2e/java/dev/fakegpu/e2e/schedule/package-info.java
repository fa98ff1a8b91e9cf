/**
 * Tests from claims and pods to allocations and bindings: the KEPs' examples and the vendors' manifests with the companion and with
 * kube-scheduler, features that users expect of a scheduler, and the explainer's events.
 */
@NullMarked
package dev.fakegpu.e2e.schedule;

import org.jspecify.annotations.NullMarked;
