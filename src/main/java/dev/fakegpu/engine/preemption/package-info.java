/**
 * Preemption: which pods must be evicted so that another pod gets a node and devices. {@code PreemptionSearch} asks the allocator which
 * pods of each node can stay, and compares the nodes in kube-scheduler's order.
 */
@NullMarked
package dev.fakegpu.engine.preemption;

import org.jspecify.annotations.NullMarked;
