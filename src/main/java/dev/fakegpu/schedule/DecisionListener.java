package dev.fakegpu.schedule;

import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;

/** Receives the result of each decision and the settings in effect. Called by the scheduling thread. */
@FunctionalInterface
public interface DecisionListener {

    /** The result of an attempt, named as in kube-scheduler's {@code scheduler_schedule_attempts_total}. */
    enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        /** A write failed; the item is scheduled again. */
        ERROR
    }

    void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy);
}
