package dev.fakegpu.schedule;

import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;

/** Is told the result of each decision, and the settings with which it was made. Called by the deciding thread. */
@FunctionalInterface
public interface DecisionListener {

    /** The result of an attempt, named as in kube-scheduler's {@code scheduler_schedule_attempts_total}. */
    enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        /** A write failed, and the decision is made anew. */
        ERROR
    }

    void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy);
}
