/**
 * The companion: the scheduler of this project. It allocates pending ResourceClaims that carry the label {@code fakegpu.dev/allocate},
 * schedules pods that name {@code fakegpu-scheduler} as their scheduler, and writes what kube-scheduler would write. One thread makes
 * decisions, with {@link dev.fakegpu.engine.allocate}; others write them. Classes are named after their counterparts in kube-scheduler if
 * there are any. The classes in this package pass items from one part to the next; the parts are packages of their own, and each uses only
 * those listed before it: {@code settings}, {@code cache}, {@code queue}, {@code search}, {@code bind} and {@code report}.
 *
 * <p>The path of a pending claim without a pod:
 *
 * <ol>
 *   <li>{@code CompanionTriggers} receives the claim from an informer and puts an event into the {@code EventLoop}, whose thread updates
 *       the {@code SchedulerCache} (above all the {@code AssumeCache}: which claim holds which devices).
 *   <li>{@code ClaimAllocation.changed} checks with {@code CompanionScope} whether the companion allocates the claim, and puts it into the
 *       {@code SchedulingQueue} as an active {@code QueueItem}.
 *   <li>When no events are left, {@code DecisionLoop} takes the first item of the queue and gives it to {@code ClaimAllocation.decide}.
 *       Among items of the same priority, the namespace that used the least time is next ({@code NamespaceShares}, {@code ActiveItems}).
 *   <li>{@code SchedulingCycle.place} looks up the claim's {@code EquivalenceClass}, which records the last attempt. {@code NodeSearch}
 *       runs the {@link dev.fakegpu.engine.allocate.Allocator} on the nodes that changed since that attempt ({@code NodeGenerations}), in
 *       the order of {@code NodeScore}; it skips nodes that refused equal claims ({@code UnchangedNodes}). {@code ManagedSlices} has the
 *       devices, and {@code AllocatorHandover} determines from which slices they may come.
 *   <li>An attempt that exceeds {@code AttemptLimits} is interrupted. The class backs off, and the next attempt continues at the next node.
 *   <li>If no node fits, the claim becomes unschedulable and its class joins the {@code ExplanationQueue}. Later {@code
 *       UnschedulableExplainer} computes one explanation for the class, in one or more turns ({@code ExplanationTurn}), and {@code
 *       StatusReporter} writes it for each member, through the {@code ReportQueue} of {@code Writers}. {@code SchedulingQueue.wake}
 *       activates the first member again when a node has changed.
 *   <li>Otherwise {@code BindingPlanner} turns the placement into a {@code BindingPlan}. {@code InFlightDecisions.submit} assumes it, so
 *       that the next decision is made as if it were already written, and hands it to the {@code BindingCycle}.
 *   <li>In a thread of {@code Writers} the {@code BindingCycle} has {@code ClaimWriter} add the finalizer, then write the allocation. If
 *       that fails, the cycle makes sure that the write can no longer take effect.
 *   <li>Back in the scheduling thread, {@code InFlightDecisions.written} or {@code failed} drops the assumption, since the store now has
 *       the result. A failed claim goes into the queue's back-off, and {@code DecisionLog} logs and counts the decision.
 * </ol>
 *
 * <p>A pod takes the same path with these differences: {@code PendingPodIndex} queues it when it or one of its claims changes. {@code
 * PodScheduling} schedules it: {@code PreFilter} rejects it while its claims have to change first (or its {@code BindingConditions} are not
 * met), and computes its {@code PodRequirements}; {@link dev.fakegpu.cluster.fit} filters nodes for reasons other than devices. If a pod
 * cannot be placed, {@code ClaimReleaser} releases the claims that are allocated only for it, and {@code PostFilter} may preempt pods of
 * lower priority, whose devices {@code Nominations} reserve for it. The {@code BindingPlan} allocates or reserves each claim, and {@code
 * PodWriter} binds the pod last.
 *
 * <p>Pods of a PodGroup that are placed all or none are a gang. When one of them is next, {@code PodScheduling} gives it to {@code
 * GangScheduling}: {@code GangMembers} finds the pods of the group and which of them are ready, {@link dev.fakegpu.engine.gang} places all
 * of them in one decision, and {@code GangRefusals} says why it cannot.
 *
 * <p>{@code CompanionBuilder} wires the objects, {@code Companion} starts and stops them; {@code LeaderRecovery} runs first. {@code
 * CompanionMessages} has the sentences of events and conditions. {@code SchedulerProfile} has the differences for a simulation, where the
 * same parts play kube-scheduler. See {@code docs/companion.md}.
 */
@NullMarked
package dev.fakegpu.operator.schedule;

import org.jspecify.annotations.NullMarked;
