package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.hardware.slices.ServedFields;
import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.operator.publish.condition.CompatibilityGroupsServedCondition;
import dev.fakegpu.operator.publish.server.SchedulerGate;
import java.util.EnumSet;

/**
 * Decides whether the slices of a FakeGpu have its compatibility groups, and what enforces them. KEP-5963, Risks: drivers must be aware of
 * the feature gate and update their slices accordingly. Groups that are not in the slices are in an annotation. {@link
 * CompatibilityGroupsServedCondition} has the messages.
 */
public record GroupPublishing(Placement placement, Enforcement enforcement) {

    /** Whether the slices have the groups, and the reason if they do not. */
    public enum Placement {
        IN_SLICES,
        /** The API server's version does not have the field. */
        FIELD_UNKNOWN,
        /** The API server's feature gate is off. */
        FIELD_DROPPED,
        /** {@link Publish#Never}. */
        WITHHELD,
        /** kube-scheduler allocates these devices, and would skip devices with groups. */
        WITHHELD_FROM_SCHEDULER
    }

    /** What keeps incompatible devices from being allocated together. */
    public enum Enforcement {
        COMPANION,
        COMPANION_GATE_NOT_ON,
        SCHEDULER,
        SCHEDULER_GATE_OFF,
        SCHEDULER_GATE_UNKNOWN,
        SCHEDULER_TOO_OLD,
        HIDDEN_FROM_SCHEDULER
    }

    static GroupPublishing of(
            FakeGpuSpec spec, PublishOptions options, ServedFields served, SchedulerGate schedulerGate) {
        Placement placement = placement(spec, options.groups(), served, schedulerGate);
        return new GroupPublishing(
                placement,
                spec.allocator() == AllocatorName.Companion
                        ? byCompanion(options)
                        : byScheduler(placement, schedulerGate));
    }

    /** The slice fields that may be written, which include groups only if they belong in the slices. */
    ServedFields writable(ServedFields served) {
        return placement == Placement.IN_SLICES
                ? served
                : served.andDropped(EnumSet.of(SliceField.COMPATIBILITY_GROUPS));
    }

    private static Placement placement(
            FakeGpuSpec spec, Publish byDefault, ServedFields served, SchedulerGate schedulerGate) {
        var groups = spec.compatibilityGroups();
        Publish publish = groups == null || groups.publish() == null ? byDefault : groups.publish();
        if (publish == Publish.Never) {
            return Placement.WITHHELD;
        }
        if (served.unknown().contains(SliceField.COMPATIBILITY_GROUPS)) {
            return Placement.FIELD_UNKNOWN;
        }
        if (!served.serves(SliceField.COMPATIBILITY_GROUPS)) {
            return Placement.FIELD_DROPPED;
        }
        return publish == Publish.Auto
                        && spec.allocator() == AllocatorName.KubeScheduler
                        && schedulerGate == SchedulerGate.Off
                ? Placement.WITHHELD_FROM_SCHEDULER
                : Placement.IN_SLICES;
    }

    private static Enforcement byCompanion(PublishOptions options) {
        return options.companionEnforces().getAsBoolean() ? Enforcement.COMPANION : Enforcement.COMPANION_GATE_NOT_ON;
    }

    private static Enforcement byScheduler(Placement placement, SchedulerGate schedulerGate) {
        if (placement != Placement.IN_SLICES) {
            return Enforcement.HIDDEN_FROM_SCHEDULER;
        }
        return switch (schedulerGate) {
            case On -> Enforcement.SCHEDULER;
            case Off -> Enforcement.SCHEDULER_GATE_OFF;
            case Unaware -> Enforcement.SCHEDULER_TOO_OLD;
            case Unknown -> Enforcement.SCHEDULER_GATE_UNKNOWN;
        };
    }
}
