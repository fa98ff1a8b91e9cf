package dev.fakegpu.operator.publish.condition;

import dev.fakegpu.hardware.slices.SliceField;
import dev.fakegpu.kube.events.EventReason;
import dev.fakegpu.operator.publish.pool.PublishResult;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Condition {@code FieldsServed}: whether the API server stores every field that the slices use. Compatibility groups have
 * {@link CompatibilityGroupsServedCondition a condition of their own}.
 */
public final class FieldsServedCondition {

    private static final Conditions.Type TYPE = Conditions.Type.FieldsServed;

    private FieldsServedCondition() {}

    public static void report(StatusReport report, PublishResult result) {
        Set<SliceField> missing = EnumSet.noneOf(SliceField.class);
        missing.addAll(result.pools().missingFields());
        missing.remove(SliceField.COMPATIBILITY_GROUPS);
        if (missing.isEmpty()) {
            report.conditions().setTrue(TYPE, "Served", "the API server stores all fields that are used");
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
        report.conditions().setFalse(TYPE, "FieldDropped", message);
        report.warning(EventReason.FieldsDropped, message);
    }
}
