/**
 * Answers what changes of a cluster would lead to. The input is a copy of a cluster and the changes. The output is the answer of
 * {@link dev.fakegpu.cluster.whatif}, from two simulations, one of which has the changes. It never writes to the cluster.
 */
@NullMarked
package dev.fakegpu.simulate.change;

import org.jspecify.annotations.NullMarked;
