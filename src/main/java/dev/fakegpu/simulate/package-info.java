/**
 * A cluster in memory, in virtual time. {@code Simulation} runs the operator's own parts (publisher, companion, simulated kubelet) on the
 * objects of a {@code MemoryCluster}, which stands for the API server; {@code SimulatedSchedulers} are the companion and, made of its parts,
 * a model of kube-scheduler; {@code RunTimes} ends pods, and the package {@code controller} stands for
 * kube-controller-manager. {@code ScenarioManifest} is a file
 * with steps and expectations, {@code ScenarioRun} plays it, and {@code ClusterView} describes the state and the reasons for it. {@code
 * PlayedChanges} compares two copies of a cluster, of which one is changed.
 *
 * <ul>
 *   <li>In: manifests, scenarios, and the objects of a cluster that was read.
 *   <li>Out: the state after each step, the same on every machine.
 *   <li>It must never know files, threads, the clock or a real cluster.
 * </ul>
 */
@NullMarked
package dev.fakegpu.simulate;

import org.jspecify.annotations.NullMarked;
