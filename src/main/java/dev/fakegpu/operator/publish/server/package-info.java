/**
 * Determines how the API server and kube-scheduler treat fields. The input is trial writes and the metrics of a scheduler. The output is
 * which fields are stored ({@code FieldProbe}), and whether compatibility groups are enforced ({@code SchedulerGate}). This package knows
 * nothing about FakeGpus.
 */
@NullMarked
package dev.fakegpu.operator.publish.server;

import org.jspecify.annotations.NullMarked;
