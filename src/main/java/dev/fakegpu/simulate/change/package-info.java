/**
 * What changes of a cluster would lead to. In go a copy of a cluster and changes; out comes the answer of {@link dev.fakegpu.cluster.whatif},
 * from two simulations, one of which is changed. It never writes to the cluster.
 */
@NullMarked
package dev.fakegpu.simulate.change;

import org.jspecify.annotations.NullMarked;
