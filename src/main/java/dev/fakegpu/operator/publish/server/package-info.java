/**
 * What the API server and kube-scheduler do with fields. In go trial writes and the metrics of a scheduler; out comes which fields are stored
 * ({@code FieldProbe}), and whether compatibility groups are enforced ({@code SchedulerGate}). It never knows FakeGpus.
 */
@NullMarked
package dev.fakegpu.operator.publish.server;

import org.jspecify.annotations.NullMarked;
