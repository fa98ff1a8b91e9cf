package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.allocate.GroupsGate;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the companion allocates.
 *
 * @param features what it knows
 * @param gate whether it enforces them, skips what declares them, or does not know them
 * @param groupPolicy whether the groups of allocated devices are those recorded at allocation or those in the slices now
 * @param bindingTimeout how long binding conditions are waited for, counted from the allocation
 * @param writers how many decisions are written at a time
 */
public record CompanionOptions(
        Set<Feature> features, GroupsGate gate, GroupPolicy groupPolicy, Duration bindingTimeout, int writers) {

    /** Keeps kube-scheduler away from devices that the companion gives away. */
    public static final DeviceTaint TAINT = new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");

    /**
     * These options, but for what a ConfigMap says otherwise.
     *
     * @throws IllegalArgumentException if a value is none of those that there are; the message says which there are
     */
    CompanionOptions with(Map<String, String> settings) {
        return new CompanionOptions(
                features,
                value(settings, "companion.gate", gate),
                value(settings, "companion.groupPolicy", groupPolicy),
                bindingTimeout,
                writers);
    }

    private static <E extends Enum<E>> E value(Map<String, String> settings, String key, E otherwise) {
        String wanted = settings.get(key);
        if (wanted == null) {
            return otherwise;
        }
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        return Arrays.stream(all)
                .filter(each -> each.name().equalsIgnoreCase(wanted.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("%s is \"%s\"; allowed are %s"
                        .formatted(
                                key,
                                wanted,
                                Arrays.stream(all).map(CompanionOptions::title).collect(Collectors.joining(", ")))));
    }

    /** What people are told of decisions that were made by other rules than usual; empty for the usual ones. */
    String remark() {
        return gate == GroupsGate.ON && groupPolicy == GroupPolicy.SNAPSHOT
                ? ""
                : " (compatibility groups %s, group policy %s)".formatted(title(gate), title(groupPolicy));
    }

    /** For the log. */
    String rules() {
        return "gate=%s groupPolicy=%s".formatted(title(gate), title(groupPolicy));
    }

    private static String title(Enum<?> value) {
        return value.name().charAt(0) + value.name().substring(1).toLowerCase(Locale.ROOT);
    }

    AllocatorOptions allocatorOptions() {
        var ownTaint = new DeviceToleration(TAINT.key(), "Equal", TAINT.value(), TAINT.effect(), null);
        return new AllocatorOptions(features, gate, groupPolicy, List.of(ownTaint));
    }
}
