package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.kube.events.EventReason;

/** Condition {@code Accepted}: whether the spec can be published. */
public final class AcceptedCondition {
    private AcceptedCondition() {}

    public static void valid(StatusReport report) {
        report.conditions().setTrue(Conditions.Type.Accepted, "Valid", "the spec can be published");
    }

    /** @param problems all problems of the spec, in one sentence */
    public static void invalid(StatusReport report, String problems) {
        report.conditions().setFalse(Conditions.Type.Accepted, "Invalid", problems);
        report.warning(EventReason.NotAccepted, problems);
    }
}
