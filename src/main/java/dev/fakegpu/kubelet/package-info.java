/**
 * Simulated nodes, and nodes of KWOK: does what a kubelet would do, for nodes that have none.
 *
 * <ol>
 *   <li>{@link dev.fakegpu.kubelet.NodeHeartbeat} keeps the Node objects Ready.
 *   <li>{@link dev.fakegpu.kubelet.SimulatedKubelet} notices a pod that is bound to a simulated node. {@link
 *       dev.fakegpu.kubelet.PodPreparer} looks up its claims and calls {@link dev.fakegpu.kubelet.SimulatedDriver}, which injects faults,
 *       has the claims validated by {@link dev.fakegpu.prepare} and writes {@code status.devices}.
 *   <li>The driver's response becomes a {@link dev.fakegpu.kubelet.PreparationProgress}: the pod is reported as Running, or stays in
 *       ContainerCreating with an event and is retried ({@link dev.fakegpu.kubelet.RetryBackoff}).
 *   <li>While a pod runs, {@link dev.fakegpu.kubelet.PodHealthReporter} keeps the health of its devices in its status.
 *   <li>When it terminates, its claims are unprepared and {@link dev.fakegpu.kubelet.PodStatusWriter} completes its deletion.
 * </ol>
 *
 * <p>Before a pod is bound, {@link dev.fakegpu.kubelet.BindingSimulator} sets the binding conditions of its devices, if their FakeGpu says
 * so; this is for devices on any node.
 *
 * <p>Nodes that KWOK keeps have no heartbeat here, and only their pods with claims are run, if a FakeGpu asks for it ({@link
 * dev.fakegpu.kubelet.NodeSnapshots#runs}). {@link dev.fakegpu.kubelet.EarlyPods} are those that KWOK has set to Running before.
 *
 * <p>Nodes with a real kubelet have {@link dev.fakegpu.prepare.plugin} instead.
 */
@NullMarked
package dev.fakegpu.kubelet;

import org.jspecify.annotations.NullMarked;
