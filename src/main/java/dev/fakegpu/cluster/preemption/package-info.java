/**
 * The pods that would have to be preempted for one of higher priority: {@link dev.fakegpu.cluster.preemption.PreemptionFinder} turns pods,
 * claims, PodGroups and PodDisruptionBudgets into a problem for {@link dev.fakegpu.engine.preemption.PreemptionSearch}. Nothing here uses a
 * client or a clock.
 */
@NullMarked
package dev.fakegpu.cluster.preemption;

import org.jspecify.annotations.NullMarked;
