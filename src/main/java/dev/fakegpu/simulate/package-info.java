/**
 * A cluster in memory, in virtual time. {@code Simulation} runs the operator's own parts (publisher, companion, simulated kubelet) on the
 * objects of a {@code MemoryCluster}, which represents the API server. {@code SimulatedSchedulers} are the companion and a model of
 * kube-scheduler that is made of the same parts. {@code RunTimes} ends pods, and the package {@code controller} represents
 * kube-controller-manager. {@code ScenarioManifest} is a file with steps and expectations, {@code ScenarioRun} plays it, and
 * {@code ClusterView} describes the state and the reasons for it. {@code PlayedChanges} compares a copy of a cluster with a changed one.
 *
 * <ul>
 *   <li>In: manifests, scenarios, and the objects of a cluster that was read.
 *   <li>Out: the state after each step, which is the same on every machine.
 *   <li>This package must never know files, threads, the clock or a real cluster.
 * </ul>
 */
@NullMarked
package dev.fakegpu.simulate;

import org.jspecify.annotations.NullMarked;
