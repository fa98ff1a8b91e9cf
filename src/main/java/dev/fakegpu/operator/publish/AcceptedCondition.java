package dev.fakegpu.operator.publish;

import dev.fakegpu.kube.events.EventReason;

/** Condition {@code Accepted}: whether the spec can be published. */
final class AcceptedCondition {
    private AcceptedCondition() {}

    static void valid(StatusReport report) {
        report.conditions().setTrue(Conditions.Type.Accepted, "Valid", "the spec can be published");
    }

    /** @param problems all problems of the spec, in one sentence */
    static void invalid(StatusReport report, String problems) {
        report.conditions().setFalse(Conditions.Type.Accepted, "Invalid", problems);
        report.warning(EventReason.NotAccepted, problems);
    }
}
