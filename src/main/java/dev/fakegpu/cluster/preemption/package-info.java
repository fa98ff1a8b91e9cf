/**
 * Which pods would have to go for one of higher priority: {@link dev.fakegpu.cluster.preemption.PreemptionFinder} makes a problem of pods, claims,
 * PodGroups and PodDisruptionBudgets for {@link dev.fakegpu.engine.preemption.PreemptionSearch}. Nothing here uses a client or a clock.
 */
@NullMarked
package dev.fakegpu.cluster.preemption;

import org.jspecify.annotations.NullMarked;
