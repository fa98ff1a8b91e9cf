/**
 * A cluster in memory, in virtual time. {@code Simulation} runs the operator's own parts (publisher, companion, simulated kubelet) on the
 * objects of a {@code MemoryCluster}, which stands for the API server; {@code SimulatedSchedulers} are the companion and, made of its
 * parts, what stands for kube-scheduler; {@code Workloads} stands for the controllers that make claims and pods. {@code ScenarioManifest} is
 * a file with steps and expectations, {@code ScenarioRun} plays it, and {@code ClusterView} says what is so and why. Nothing here reads files, the clock or a real cluster.
 */
@NullMarked
package dev.fakegpu.simulate;

import org.jspecify.annotations.NullMarked;
