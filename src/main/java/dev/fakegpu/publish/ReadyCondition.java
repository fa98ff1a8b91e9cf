package dev.fakegpu.publish;

/** Condition {@code Ready}, the summary: whether pods can use the GPUs. */
final class ReadyCondition {

    private static final Conditions.Type TYPE = Conditions.Type.Ready;

    private ReadyCondition() {}

    /** Ready if and only if {@code Published} is true. */
    static void followPublished(StatusReport report) {
        if (report.conditions().isTrue(Conditions.Type.Published)) {
            report.conditions().setTrue(TYPE, "Published", "the GPUs can be used");
        } else {
            report.conditions().setFalse(TYPE, "NotPublished", "see condition Published");
        }
    }

    /** @param problems all problems of the spec, in one sentence */
    static void notAccepted(StatusReport report, String problems) {
        report.conditions()
                .setFalse(TYPE, "NotAccepted", "the spec was refused and what was published before stays: " + problems);
    }

    /** @param cause why an object could not be stored */
    static void publishFailed(StatusReport report, String cause) {
        report.conditions().setFalse(TYPE, "PublishFailed", "not published: " + cause);
    }
}
