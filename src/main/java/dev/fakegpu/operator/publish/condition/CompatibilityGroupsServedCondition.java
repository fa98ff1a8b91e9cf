package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.GroupPublishing;
import dev.fakegpu.operator.publish.pool.GroupPublishing.Enforcement;
import dev.fakegpu.operator.publish.pool.GroupPublishing.Placement;
import dev.fakegpu.operator.publish.pool.PublishResult;
import dev.fakegpu.operator.publish.server.SchedulerGate;

/**
 * Condition {@code CompatibilityGroupsServed}: whether the slices have the groups, the reason if they do not, and what enforces the groups.
 * {@link GroupPublishing} makes the decision.
 */
public final class CompatibilityGroupsServedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.CompatibilityGroupsServed;

    private static final String ONLY_PREPARATION =
            "incompatible devices can be allocated together, and then fail to be prepared";

    private CompatibilityGroupsServedCondition() {}

    public static void report(StatusReport report, PublishResult result) {
        if (report.fakeGpu().getSpec().compatibility() == FakeGpuSpec.Compatibility.None) {
            notUsed(report, "spec.compatibility is None: no groups are published");
        } else if (!result.pools().usesGroups()) {
            notUsed(report, "no device with groups is published");
        } else {
            report(report, result.groups());
        }
    }

    private static void report(StatusReport report, GroupPublishing groups) {
        var message = message(groups);
        switch (groups.placement()) {
            case IN_SLICES -> report.conditions().setTrue(TYPE, "Served", message);
            case FIELD_UNKNOWN, FIELD_DROPPED -> {
                report.conditions().setFalse(TYPE, "FieldDropped", message);
                report.warning(EventReason.CompatibilityGroupsDropped, message);
            }
            case WITHHELD, WITHHELD_FROM_SCHEDULER -> notUsed(report, message);
        }
    }

    private static void notUsed(StatusReport report, String message) {
        report.conditions().setUnknown(TYPE, "NotUsed", message);
    }

    /** For example {@code the API server stores compatibility groups; the companion enforces them}. */
    public static String message(GroupPublishing groups) {
        return placement(groups.placement()) + "; " + enforcement(groups.enforcement());
    }

    private static String placement(Placement placement) {
        return switch (placement) {
            case IN_SLICES -> "the API server stores compatibility groups";
            case FIELD_UNKNOWN -> "the API server is too old to know compatibility groups; " + inAnnotation();
            case FIELD_DROPPED ->
                "the API server drops compatibility groups: its feature gate " + SliceField.COMPATIBILITY_GROUPS.gate()
                        + " is off; " + inAnnotation();
            case WITHHELD -> "compatibilityGroups.publish is Never; " + inAnnotation();
            case WITHHELD_FROM_SCHEDULER ->
                "groups are left out of the slices, since kube-scheduler gives these devices away and"
                        + " would skip them: its feature gate " + SchedulerGate.NAME
                        + " is off (compatibilityGroups.publish: Always publishes them all the same); "
                        + inAnnotation();
        };
    }

    private static String inAnnotation() {
        return "they are kept in the annotation " + GroupsAnnotation.KEY;
    }

    private static String enforcement(Enforcement enforcement) {
        return switch (enforcement) {
            case COMPANION -> "the companion enforces them";
            case COMPANION_GATE_NOT_ON ->
                "the companion does not enforce them, since its setting companion.gate is not On";
            case SCHEDULER -> "kube-scheduler enforces them";
            case SCHEDULER_GATE_OFF -> "kube-scheduler skips the devices, since its feature gate is off";
            case SCHEDULER_GATE_UNKNOWN ->
                "kube-scheduler enforces them if its feature gate " + SchedulerGate.NAME + " is on";
            case SCHEDULER_TOO_OLD -> "kube-scheduler is too old to know them: " + ONLY_PREPARATION;
            case HIDDEN_FROM_SCHEDULER -> "kube-scheduler does not see them: " + ONLY_PREPARATION;
        };
    }
}
