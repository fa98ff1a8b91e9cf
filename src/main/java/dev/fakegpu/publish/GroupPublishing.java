package dev.fakegpu.publish;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.dra.wire.GroupsAnnotation;
import dev.fakegpu.slices.ServedFields;
import dev.fakegpu.slices.SliceField;

/**
 * Whether the groups of a FakeGpu go into its slices, and who enforces them then. KEP-5963, Risks: drivers must be aware of the
 * feature gate and update their slices accordingly.
 *
 * @param place where the groups are
 * @param enforcement who keeps incompatible devices apart, as a sentence
 */
record GroupPublishing(Place place, String enforcement) {

    /** Where groups are, and why there. */
    enum Place {
        IN_SLICES,
        /** The API server's version is older than the field. */
        FIELD_UNKNOWN,
        /** The API server's gate is off. */
        FIELD_DROPPED,
        /** Asked for by {@link Publish#Never}. */
        WITHHELD,
        /** kube-scheduler gives the devices away, and would skip them. */
        WITHHELD_FROM_SCHEDULER
    }

    private static final String ONLY_PREPARATION =
            "incompatible devices can be allocated together, and then fail to be prepared";

    /**
     * @param byDefault how to publish where the FakeGpu does not say it
     * @param companionEnforces whether the companion's gate is on
     */
    static GroupPublishing of(
            FakeGpuSpec spec,
            Publish byDefault,
            ServedFields served,
            SchedulerGate scheduler,
            boolean companionEnforces) {
        Place place = place(spec, byDefault, served, scheduler);
        return new GroupPublishing(
                place,
                spec.allocator() == AllocatorName.Companion
                        ? byCompanion(companionEnforces)
                        : byScheduler(place == Place.IN_SLICES, scheduler));
    }

    boolean inSlices() {
        return place == Place.IN_SLICES;
    }

    /** Where they are and why, as a sentence. */
    String whereabouts() {
        return switch (place) {
            case IN_SLICES -> "the API server stores compatibility groups";
            case FIELD_UNKNOWN -> "the API server is too old to know compatibility groups; " + keptBeside();
            case FIELD_DROPPED ->
                "the API server drops compatibility groups: its feature gate " + SliceField.COMPATIBILITY_GROUPS.gate()
                        + " is off; " + keptBeside();
            case WITHHELD -> "compatibilityGroups.publish is Never; " + keptBeside();
            case WITHHELD_FROM_SCHEDULER ->
                "groups are left out of the slices, since kube-scheduler gives these devices away and"
                        + " would skip them: its feature gate " + SchedulerGate.NAME
                        + " is off (compatibilityGroups.publish: Always publishes them all the same); " + keptBeside();
        };
    }

    private static String keptBeside() {
        return "they are kept in the annotation " + GroupsAnnotation.KEY;
    }

    private static Place place(FakeGpuSpec spec, Publish byDefault, ServedFields served, SchedulerGate scheduler) {
        var groups = spec.compatibilityGroups();
        Publish publish = groups == null || groups.publish() == null ? byDefault : groups.publish();
        if (publish == Publish.Never) {
            return Place.WITHHELD;
        }
        if (served.unknown().contains(SliceField.COMPATIBILITY_GROUPS)) {
            return Place.FIELD_UNKNOWN;
        }
        if (!served.serves(SliceField.COMPATIBILITY_GROUPS)) {
            return Place.FIELD_DROPPED;
        }
        return publish == Publish.Auto
                        && spec.allocator() == AllocatorName.KubeScheduler
                        && scheduler == SchedulerGate.Off
                ? Place.WITHHELD_FROM_SCHEDULER
                : Place.IN_SLICES;
    }

    private static String byCompanion(boolean companionEnforces) {
        return companionEnforces
                ? "the companion enforces them"
                : "the companion does not enforce them, since its setting companion.gate is not On";
    }

    private static String byScheduler(boolean inSlices, SchedulerGate scheduler) {
        if (!inSlices) {
            return "kube-scheduler does not see them: " + ONLY_PREPARATION;
        }
        return switch (scheduler) {
            case On -> "kube-scheduler enforces them";
            case Off -> "kube-scheduler skips the devices, since its feature gate is off";
            case Unaware -> "kube-scheduler is too old to know them: " + ONLY_PREPARATION;
            case Unknown -> "kube-scheduler enforces them if its feature gate " + SchedulerGate.NAME + " is on";
        };
    }
}
