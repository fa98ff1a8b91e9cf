/**
 * Preemption: which pods have to go so that another one gets a node and devices. {@code PreemptionSearch} asks the allocator on each node
 * which of the pods there can stay, and compares the nodes in kube-scheduler's order.
 */
@NullMarked
package dev.fakegpu.engine.preemption;

import org.jspecify.annotations.NullMarked;
