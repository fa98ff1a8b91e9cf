/**
 * Carries decisions out. {@code BindingPlanner} turns a placement into a {@code BindingPlan}; the {@code BindingCycle} writes it, in threads
 * of {@code Writers}: allocations and reservations by {@code ClaimWriter}, the binding of the pod by {@code PodWriter}. What an attempt leaves
 * behind is taken back by {@code ClaimReleaser}, after a restart by {@code LeaderRecovery}. {@code CompanionMessages} has the sentences of
 * events and conditions. It never chooses devices, and never knows the order of the queue.
 */
@NullMarked
package dev.fakegpu.operator.schedule.bind;

import org.jspecify.annotations.NullMarked;
