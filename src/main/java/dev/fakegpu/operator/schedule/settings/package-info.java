/**
 * How a scheduler is set up. In goes what the operator was started with and the ConfigMap of users; out come the {@code CompanionOptions} that
 * are in effect now, and the {@code SchedulerProfile}: in what the companion differs from kube-scheduler, for which the same parts stand in a
 * simulation. It never knows what is pending, or where it is placed.
 */
@NullMarked
package dev.fakegpu.operator.schedule.settings;

import org.jspecify.annotations.NullMarked;
