/**
 * A cluster read once, for commands: {@link dev.fakegpu.cluster.snapshot.ClusterReader} lists what the caller may see, {@link
 * dev.fakegpu.cluster.snapshot.ClusterObjects} has the objects and says what could not be read, and {@link dev.fakegpu.cluster.snapshot.ClusterSnapshot}
 * gives them to allocator, explainer and scheduler code as values. Objects of files make the same values. Nothing here writes.
 */
@NullMarked
package dev.fakegpu.cluster.snapshot;

import org.jspecify.annotations.NullMarked;
