/**
 * The configuration of a scheduler. The input is the operator's options at startup and the ConfigMap of users. The output is the {@code
 * CompanionOptions} in effect, and the {@code SchedulerProfile}, which has the differences between the companion and kube-scheduler; in a
 * simulation, the same parts play kube-scheduler. This package knows nothing about pending items or placement.
 */
@NullMarked
package dev.fakegpu.operator.schedule.settings;

import org.jspecify.annotations.NullMarked;
