/**
 * Reports decisions. The input is decisions and classes of unschedulable items. The output is log lines and metrics ({@code DecisionLog},
 * {@code DecisionListener}), and events and conditions that say why something is pending: {@code UnschedulableExplainer} computes the
 * reasons for {@code ExplanationQueue} when there is nothing else to do, and {@code StatusReporter} writes them. This package never changes
 * decisions.
 */
@NullMarked
package dev.fakegpu.operator.schedule.report;

import org.jspecify.annotations.NullMarked;
