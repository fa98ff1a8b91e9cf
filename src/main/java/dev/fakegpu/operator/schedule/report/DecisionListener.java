package dev.fakegpu.operator.schedule.report;

import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.time.Duration;

/** Receives what the companion decides, for metrics. Called by several threads. */
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
        /** Looks for a node and devices. */
        SEARCH,
        /** Works out why there are none. */
        EXPLANATION,
        /** Writes a decision: from the decision until its last write succeeded. */
        WRITE
    }

    /** An attempt ended, with the settings in effect. */
    void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy);

    /**
     * A pod or claim is told why it is pending. Not called again for the same reason while it stays pending, however often it is tried.
     *
     * @param reason one of {@code Companion.reasonCodes}
     */
    default void refused(String reason) {}

    /** An allocation was written. */
    default void allocated(int devices) {}

    /** A pod or claim was scheduled, this long after it was created. */
    default void scheduled(Duration sinceCreation) {}

    default void took(Phase phase, Duration duration) {}
}
