package dev.fakegpu.schedule;

import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;

/** Hears of each decision and of the rules that it was made by. Called by the deciding thread. */
@FunctionalInterface
public interface DecisionListener {

    /** What came of an attempt, as kube-scheduler names it in {@code scheduler_schedule_attempts_total}. */
    enum Result {
        SCHEDULED,
        UNSCHEDULABLE,
        /** A write failed, and the decision is made anew. */
        ERROR
    }

    void decided(Result result, GroupsGate gate, GroupPolicy groupPolicy);
}
