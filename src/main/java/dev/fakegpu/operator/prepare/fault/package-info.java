/**
 * Faults injected into calls: the effects of {@code spec.faults} on NodePrepareResources and NodeUnprepareResources.
 *
 * <p>All classes that handle injected faults, in the order in which a fault passes through them:
 *
 * <table>
 *   <caption>Where injected faults are handled</caption>
 *   <tr><th>class</th><th>what it does</th></tr>
 *   <tr><td>{@link dev.fakegpu.api.FaultSpec}</td><td>the field {@code spec.faults[]}, with the schema's own rules</td></tr>
 *   <tr><td>{@code dev.fakegpu.hardware.inventory.FaultSpecCheck}</td><td>checks what the schema cannot; a FakeGpu with problems is
 *   rejected</td></tr>
 *   <tr><td>{@link dev.fakegpu.hardware.inventory.InventoryPlanner}{@code .faults}</td><td>which faults of a FakeGpu match a call:
 *   operation, node, devices, claim labels</td></tr>
 *   <tr><td>{@link dev.fakegpu.operator.prepare.fault.DriverCall}</td><td>a kubelet call, for one claim</td></tr>
 *   <tr><td>{@link dev.fakegpu.operator.prepare.fault.InjectedFault}</td><td>a fault of calls: which calls {@code when} selects, and the
 *   resulting error or delay</td></tr>
 *   <tr><td>{@link dev.fakegpu.operator.prepare.fault.FaultInjector}</td><td>counts calls, picks the fault that applies, remembers delayed
 *   calls; never blocks</td></tr>
 *   <tr><td>{@link dev.fakegpu.operator.prepare.fault.FaultOutcome}</td><td>how a fault changes a call</td></tr>
 *   <tr><td>{@link dev.fakegpu.operator.prepare.fault.FaultInjectingCalls}</td><td>the same for threads that may block: the kubelet
 *   plugin's gRPC calls</td></tr>
 *   <tr><td>{@code dev.fakegpu.operator.kubelet.SimulatedDriver}</td><td>applies outcomes on simulated nodes</td></tr>
 *   <tr><td>{@code dev.fakegpu.operator.prepare.plugin.ClaimPreparer}</td><td>applies outcomes on nodes with a kubelet</td></tr>
 *   <tr><td>{@link dev.fakegpu.hardware.inventory.TimedFaults}</td><td>the other kind of faults, with the effects {@code Health} and {@code
 *   Taint}: when they start and which devices they change</td></tr>
 *   <tr><td>{@code dev.fakegpu.operator.publish.pool.FaultTimeline}</td><td>applies timed faults to the published slices, with the
 *   condition {@code FaultsInjected}</td></tr>
 *   <tr><td>{@link dev.fakegpu.api.NodeFaultSpec}</td><td>the field {@code spec.nodes.simulated.faults[]}, timed in the same way</td></tr>
 *   <tr><td>{@code dev.fakegpu.operator.publish.pool.NodeFaults}</td><td>the effects of active faults on simulated nodes; {@code
 *   SimulatedNodes} writes it</td></tr>
 *   <tr><td>{@code dev.fakegpu.operator.kubelet.StartDelay}</td><td>starts the pods of a slow kubelet late</td></tr>
 * </table>
 */
@NullMarked
package dev.fakegpu.operator.prepare.fault;

import org.jspecify.annotations.NullMarked;
