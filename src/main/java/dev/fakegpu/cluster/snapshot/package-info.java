/**
 * A cluster that is read once, for commands: {@link dev.fakegpu.cluster.snapshot.ClusterReader} lists what the caller may see, {@link
 * dev.fakegpu.cluster.snapshot.ClusterObjects} has the objects and what could not be read, and {@link
 * dev.fakegpu.cluster.snapshot.ClusterSnapshot} provides them as values to the code for allocation, explanations and scheduling. Objects
 * from files lead to the same values. Nothing here writes.
 */
@NullMarked
package dev.fakegpu.cluster.snapshot;

import org.jspecify.annotations.NullMarked;
