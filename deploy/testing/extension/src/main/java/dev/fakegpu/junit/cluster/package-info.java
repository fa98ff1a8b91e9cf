/**
 * Clusters for tests: a control plane from the first source that has one, and the operator as a process beside it. A {@link
 * dev.fakegpu.junit.cluster.ClusterPool} hands them out.
 */
@NullMarked
package dev.fakegpu.junit.cluster;

import org.jspecify.annotations.NullMarked;
