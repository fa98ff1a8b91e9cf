package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Feature;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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
        Set<Feature> features, Gate gate, GroupPolicy groupPolicy, int writers, Duration bindingTimeout) {

    /** Keeps kube-scheduler away from devices that the companion gives away. */
    public static final DeviceTaint TAINT = new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");

    AllocatorOptions allocatorOptions() {
        var ownTaint = new DeviceToleration(TAINT.key(), "Equal", TAINT.value(), TAINT.effect(), null);
        return new AllocatorOptions(features, gate, groupPolicy, List.of(ownTaint));
    }
}
