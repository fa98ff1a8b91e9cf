/**
 * Says what was decided. In go decisions and classes of items that fit nowhere; out come log lines and metrics ({@code DecisionLog},
 * {@code DecisionListener}), and events and conditions that say why something is pending: {@code ExplanationQueue} has
 * {@code UnschedulableExplainer} work them out when nothing else is to be done, and {@code StatusReporter} writes them. It never changes what
 * is decided.
 */
@NullMarked
package dev.fakegpu.operator.schedule.report;

import org.jspecify.annotations.NullMarked;
