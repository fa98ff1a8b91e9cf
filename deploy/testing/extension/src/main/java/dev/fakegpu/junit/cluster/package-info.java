/**
 * Clusters for tests: a control plane from the first source that has one, and the operator as a process next to it. A {@link
 * dev.fakegpu.junit.cluster.ClusterPool} provides them.
 */
@NullMarked
package dev.fakegpu.junit.cluster;

import org.jspecify.annotations.NullMarked;
