/**
 * Does what a kubelet would do, for nodes that have none: simulated nodes, and nodes of KWOK.
 *
 * <ol>
 *   <li>{@link dev.fakegpu.operator.kubelet.NodeHeartbeat} keeps the Node objects Ready.
 *   <li>{@link dev.fakegpu.operator.kubelet.SimulatedKubelet} notices a pod that is bound to a simulated node. {@link
 *       dev.fakegpu.operator.kubelet.PodPreparer} looks up its claims and calls {@link dev.fakegpu.operator.kubelet.SimulatedDriver}, which
 *       injects faults, has the claims validated by {@link dev.fakegpu.operator.prepare} and writes {@code status.devices}.
 *   <li>The driver's response becomes a {@link dev.fakegpu.operator.kubelet.PreparationProgress}: the pod is reported as Running, or stays
 *       in ContainerCreating with an event and is retried ({@link dev.fakegpu.util.RetryBackoff}).
 *   <li>While a pod runs, {@link dev.fakegpu.operator.kubelet.PodHealthReporter} keeps the health of its devices in its status.
 *   <li>When it terminates, its claims are unprepared and {@link dev.fakegpu.operator.kubelet.PodStatusWriter} completes its deletion.
 * </ol>
 *
 * <p>Before a pod is bound, {@link dev.fakegpu.operator.kubelet.BindingSimulator} sets the binding conditions of its devices if their
 * FakeGpu says so; it does so for devices on any node.
 *
 * <p>For nodes that KWOK manages, there is no heartbeat here, and only their pods with claims are run, if a FakeGpu asks for it ({@link
 * dev.fakegpu.operator.kubelet.NodeSnapshots#runs}). {@link dev.fakegpu.operator.kubelet.EarlyPods} has the pods that KWOK has set to
 * Running before that.
 *
 * <p>Nodes with a real kubelet use {@link dev.fakegpu.operator.prepare.plugin} instead.
 */
@NullMarked
package dev.fakegpu.operator.kubelet;

import org.jspecify.annotations.NullMarked;
