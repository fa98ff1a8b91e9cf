/**
 * The publisher: makes sure that the nodes, DeviceClasses and ResourceSlices of each FakeGpu exist, and reports the result in its status.
 * This package has the reconciler; each of its parts uses only those listed before it: {@code server}, {@code pool} and {@code condition}.
 *
 * <p>The path of a FakeGpu from event to status:
 *
 * <ol>
 *   <li>{@link dev.fakegpu.operator.publish.ReconcileTriggers} decides which changes in the cluster reconcile which FakeGpus; {@link
 *       dev.fakegpu.operator.publish.FakeGpuReconciler} is what the framework calls.
 *   <li>A spec with problems is rejected. If {@code spec.allocator} hands devices over to kube-scheduler, {@link
 *       dev.fakegpu.operator.publish.HandoverGuard} delays this until the companion has stopped allocating them.
 *   <li>{@link dev.fakegpu.operator.publish.pool.FaultTimeline} applies the timed faults that have taken effect to the spec.
 *   <li>{@link dev.fakegpu.operator.publish.pool.FakeGpuPublisher} creates simulated nodes ({@code SimulatedNodes}) and DeviceClasses
 *       ({@code DeviceClassPublisher}), and runs a {@code PublishRun} over the pools: {@code TargetNodes} and {@code PoolOwnership}
 *       determine the pools, {@code RetainedDevices} determines what must not change yet, and {@code PoolPublisher} writes the slices.
 *   <li>{@link dev.fakegpu.operator.publish.server.ServerFeatures} knows which fields the API server stores ({@code FieldProbe}) and
 *       whether kube-scheduler enforces compatibility groups ({@code SchedulerGateProbe}); {@code GroupPublishing} decides based on this
 *       where the groups go.
 *   <li>The classes {@code *Condition}, one for each condition type, have the messages of conditions and of the events on the same topic.
 * </ol>
 *
 * <p>Allocations can occur many times per second, but reconcile their FakeGpu at most once per second ({@code EventThrottle}).
 *
 * <p>Workarounds for Java Operator SDK. This package uses the framework for the work queue, retries, the rate limit and status updates, but
 * not to watch other objects: all parts of the operator share the informers of {@code ClusterWatch}, so that each object is in memory only
 * once. Three classes make up for that:
 *
 * <ul>
 *   <li>{@code ReconcileEventSource} reports changes of other objects, which only {@code ClusterWatch} sees.
 *   <li>{@code FakeGpuRemovals} removes what belongs to deleted FakeGpus. The framework would need a finalizer for that, which would block
 *       the deletion where no operator runs.
 *   <li>{@code MissedEvents} finds FakeGpus that were never reconciled. If an object is created while the framework is still finishing the
 *       deletion of one with the same name, the framework drops the creation event, and also later events about that object unless they
 *       look like an update of the object itself.
 * </ul>
 */
@NullMarked
package dev.fakegpu.operator.publish;

import org.jspecify.annotations.NullMarked;
