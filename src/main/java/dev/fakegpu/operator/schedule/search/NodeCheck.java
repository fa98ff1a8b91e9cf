package dev.fakegpu.operator.schedule.search;

import dev.fakegpu.cluster.fit.SchedulableNode;

/** Whether nodes fit apart from devices. */
@FunctionalInterface
public interface NodeCheck {

    boolean fits(SchedulableNode node);

    /** Whether a node that does not fit may do so because of other pods, such as after one of them was deleted. */
    default boolean mayFitBesideOthers(SchedulableNode node) {
        return true;
    }
}
