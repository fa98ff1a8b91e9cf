/**
 * Carries decisions out. {@code BindingPlanner} turns a placement into a {@code BindingPlan}; the {@code BindingCycle} writes it, in
 * threads of {@code Writers}: allocations and reservations by {@code ClaimWriter}, the binding of the pod by {@code PodWriter}. {@code
 * ClaimReleaser} takes back what a failed attempt left behind, and {@code LeaderRecovery} does so after a restart. {@code
 * CompanionMessages} has the sentences of events and conditions. This package never chooses devices, and knows nothing about the order of
 * the queue.
 */
@NullMarked
package dev.fakegpu.operator.schedule.bind;

import org.jspecify.annotations.NullMarked;
