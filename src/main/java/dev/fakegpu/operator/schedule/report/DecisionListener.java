package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.time.Duration;

/** Receives the decisions of the companion, for metrics. Several threads call it. */
@FunctionalInterface
public interface DecisionListener {

    /** The result of an attempt, named as in kube-scheduler's {@code scheduler_schedule_attempts_total}. */
    enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        /** A write failed; the item is scheduled again. */
        ERROR
    }

    /** A part of the work for a decision. */
    enum Phase {
        /** The search for a node and devices. */
        SEARCH,
        /** The explanation of why there are none. */
        EXPLANATION,
        /** The writes of a decision: from the decision until the last write has succeeded. */
        WRITE
    }

    /** An attempt ended, with the settings in effect. */
    void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy);

    /**
     * A pod or claim was told why it is pending. Not called again for the same reason while it stays pending, no matter how often it is
     * retried.
     *
     * @param reason one of {@code Companion.reasonCodes}
     */
    default void refused(String reason) {}

    /** An allocation was written. */
    default void allocated(int devices) {}

    /** @param sinceCreation the time from the creation of the pod or claim until it was scheduled */
    default void scheduled(Duration sinceCreation) {}

    default void took(Phase phase, Duration duration) {}
}
