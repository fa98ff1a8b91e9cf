package dev.fakegpu.publish;

import dev.fakegpu.api.FakeGpu;
import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.events.EventReason;
import dev.fakegpu.events.EventRecorder;
import dev.fakegpu.publish.Conditions.Type;
import dev.fakegpu.slices.SliceField;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Says in conditions and events what became of a FakeGpu. */
final class PublishReport {

    private static final int NAMED = 5;

    private final EventRecorder events;
    private final FakeGpu fakeGpu;
    private final PublishResult result;
    private final Conditions conditions;

    PublishReport(EventRecorder events, FakeGpu fakeGpu, PublishResult result, Conditions conditions) {
        this.events = events;
        this.fakeGpu = fakeGpu;
        this.result = result;
        this.conditions = conditions;
    }

    void write() {
        published();
        groups();
        fields();
        pending();
        if (conditions.isTrue(Type.Published)) {
            conditions.setTrue(Type.Ready, "Published", "the GPUs can be used");
        } else {
            conditions.setFalse(Type.Ready, "NotPublished", "see condition Published");
        }
    }

    private void published() {
        if (!result.foreignNodes().isEmpty()) {
            problem(
                    "NodeExists",
                    EventReason.PublishFailed,
                    "spec.nodes.simulated: nodes " + result.foreignNodes()
                            + " exist already and do not belong to this FakeGpu; rename the FakeGpu or remove the nodes");
        } else if (!result.taken().isEmpty()) {
            problem(
                    "PoolTaken",
                    EventReason.PoolTaken,
                    "spec.pool.name: published already by an older FakeGpu: "
                            + some(result.taken().entrySet().stream()
                                    .map(taken -> "pool %s by %s"
                                            .formatted(taken.getKey().name(), taken.getValue()))
                                    .toList())
                            + "; use another pool name, driver or node");
        } else if (!result.foreignSlices().isEmpty()) {
            problem(
                    "ForeignSlices",
                    EventReason.ForeignSlices,
                    "slices that do not belong to this FakeGpu make its pools ambiguous: "
                            + some(result.foreignSlices()) + "; remove them, or use another pool name or driver");
        } else if (result.targets().isEmpty()) {
            conditions.setFalse(Type.Published, "NoNodes", "no node matches spec.nodes yet");
        } else {
            conditions.setTrue(
                    Type.Published,
                    "AllPoolsStored",
                    fakeGpu.getSpec().nodes().isNetworkAttached()
                            ? "the pool of network-attached devices is stored"
                            : "the pools of %s node(s) are stored"
                                    .formatted(result.targets().size()));
        }
    }

    private void problem(String reason, EventReason event, String message) {
        conditions.setFalse(Type.Published, reason, message);
        events.warning(fakeGpu, event, message);
    }

    private void groups() {
        var type = Type.CompatibilityGroupsServed;
        if (fakeGpu.getSpec().compatibility() == FakeGpuSpec.Compatibility.None) {
            conditions.setUnknown(type, "NotUsed", "spec.compatibility is None: no groups are published");
            return;
        }
        if (!result.usesGroups()) {
            conditions.setUnknown(type, "NotUsed", "no device with groups is published");
            return;
        }
        var message = result.groups().whereabouts() + "; " + result.groups().enforcement();
        switch (result.groups().place()) {
            case IN_SLICES -> conditions.setTrue(type, "Served", message);
            case FIELD_UNKNOWN, FIELD_DROPPED -> {
                conditions.setFalse(type, "FieldDropped", message);
                events.warning(fakeGpu, EventReason.CompatibilityGroupsDropped, message);
            }
            case WITHHELD, WITHHELD_FROM_SCHEDULER -> conditions.setUnknown(type, "NotUsed", message);
        }
    }

    private void fields() {
        Set<SliceField> missing = EnumSet.noneOf(SliceField.class);
        missing.addAll(result.missingFields());
        missing.remove(SliceField.COMPATIBILITY_GROUPS);
        if (missing.isEmpty()) {
            conditions.setTrue(Type.FieldsServed, "Served", "the API server stores all fields that are used");
            return;
        }
        var message = "the API server does not store "
                + missing.stream()
                        .map(field -> "%s (feature gate %s)".formatted(field.text(), field.gate()))
                        .collect(Collectors.joining(", "))
                + "; slices are published without"
                + (missing.contains(SliceField.TAINTS)
                        ? ", and nothing keeps another scheduler off devices of the companion"
                        : "");
        conditions.setFalse(Type.FieldsServed, "FieldDropped", message);
        events.warning(fakeGpu, EventReason.FieldsDropped, message);
    }

    private void pending() {
        if (result.pending().isEmpty()) {
            conditions.setFalse(Type.ChangesPending, "NothingPending", "what is published is what the spec says");
            return;
        }
        var message =
                "in use, and kept with their groups and counters until they are released: " + some(result.pending())
                        + (result.withheld() == 0
                                ? ""
                                : "; %s device(s) of the spec wait for that".formatted(result.withheld()));
        conditions.setTrue(Type.ChangesPending, "DevicesInUse", message);
        if (result.changed()) {
            events.normal(fakeGpu, EventReason.ChangesPending, message);
        }
    }

    /** As many as a sentence can hold. */
    static String some(List<String> names) {
        var first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        return names.size() <= NAMED ? first : first + " and %s more".formatted(names.size() - NAMED);
    }
}
