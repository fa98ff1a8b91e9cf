package dev.fakegpu.schedule;

import dev.fakegpu.allocate.AllocatorOptions;
import dev.fakegpu.allocate.Gate;
import dev.fakegpu.allocate.GroupPolicy;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import java.util.List;

/**
 * How the companion treats compatibility groups.
 *
 * @param gate whether it enforces them, skips what declares them, or does not know them
 * @param groupPolicy whether the groups of allocated devices are those recorded at allocation or those in the slices now
 */
public record CompanionOptions(Gate gate, GroupPolicy groupPolicy) {

    /** Keeps kube-scheduler away from devices that the companion gives away. */
    public static final DeviceTaint TAINT = new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");

    AllocatorOptions allocatorOptions() {
        var ownTaint = new DeviceToleration(TAINT.key(), "Equal", TAINT.value(), TAINT.effect(), null);
        return new AllocatorOptions(gate, groupPolicy, List.of(ownTaint));
    }
}
