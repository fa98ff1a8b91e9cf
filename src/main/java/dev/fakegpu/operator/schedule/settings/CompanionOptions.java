package dev.fakegpu.operator.schedule.settings;

import dev.fakegpu.cluster.fit.UnsupportedFields;
import dev.fakegpu.cluster.preemption.PreemptionSetting;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.Feature;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * How the companion allocates.
 *
 * @param features enabled DRA features
 * @param gate whether compatibility groups are enforced, make the companion skip devices, or are unknown to it
 * @param groupPolicy whether the groups of allocated devices are those recorded at allocation or the current ones of the slices
 * @param bindingTimeout the timeout of binding conditions, counted from allocation
 * @param writers the number of decisions that are written concurrently
 * @param unsupported how pods with unsupported fields are handled
 * @param preemption whether pods of lower priority may be preempted
 * @param mixins how the companion treats mixins, which annotations of slices show; in the slices themselves, they are resolved
 */
public record CompanionOptions(
        Set<Feature> features,
        GroupsGate gate,
        GroupPolicy groupPolicy,
        Duration bindingTimeout,
        int writers,
        UnsupportedFields unsupported,
        PreemptionSetting preemption,
        MixinsGate mixins) {

    /** The configuration key of {@link #gate}. */
    public static final String GATE = "companion.gate";

    /** The options at startup: only a ConfigMap can make the companion ignore fields. */
    public CompanionOptions(
            Set<Feature> features, GroupsGate gate, GroupPolicy groupPolicy, Duration bindingTimeout, int writers) {
        this(
                features,
                gate,
                groupPolicy,
                bindingTimeout,
                writers,
                UnsupportedFields.REFUSE,
                PreemptionSetting.DISABLED,
                MixinsGate.ON);
    }

    /**
     * These options, overridden by the data of a ConfigMap. An entry with an unknown value overrides nothing.
     *
     * @param problems told about such an entry, with the allowed values
     */
    CompanionOptions with(Map<String, String> settings, Consumer<String> problems) {
        return new CompanionOptions(
                features,
                value(settings, GATE, gate, problems),
                value(settings, "companion.groupPolicy", groupPolicy, problems),
                bindingTimeout,
                writers,
                value(settings, UnsupportedFields.SETTING, unsupported, problems),
                value(settings, PreemptionSetting.SETTING, preemption, problems),
                value(settings, MixinsGate.SETTING, mixins, problems));
    }

    private static <E extends Enum<E>> E value(
            Map<String, String> settings, String key, E defaultValue, Consumer<String> problems) {
        String text = settings.get(key);
        if (text == null) {
            return defaultValue;
        }
        E[] all = defaultValue.getDeclaringClass().getEnumConstants();
        return Arrays.stream(all)
                .filter(each -> each.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseGet(() -> {
                    problems.accept("%s is \"%s\"; allowed are %s"
                            .formatted(
                                    key,
                                    text,
                                    Arrays.stream(all)
                                            .map(CompanionOptions::title)
                                            .collect(Collectors.joining(", "))));
                    return defaultValue;
                });
    }

    public CompanionOptions with(PreemptionSetting other) {
        return new CompanionOptions(features, gate, groupPolicy, bindingTimeout, writers, unsupported, other, mixins);
    }

    public CompanionOptions with(MixinsGate other) {
        return new CompanionOptions(
                features, gate, groupPolicy, bindingTimeout, writers, unsupported, preemption, other);
    }

    /** A summary for the log. */
    public String summary() {
        return "gate=%s groupPolicy=%s".formatted(title(gate), title(groupPolicy));
    }

    /** The name as users write it, such as {@code Snapshot}. */
    public static String title(Enum<?> value) {
        return value.name().charAt(0) + value.name().substring(1).toLowerCase(Locale.ROOT);
    }

    public AllocatorOptions allocatorOptions(SchedulerProfile profile) {
        return new AllocatorOptions(features, gate, groupPolicy, profile.tolerations());
    }
}
