package dev.fakegpu.allocate;

import dev.fakegpu.allocate.pool.CapacityRounding;
import dev.fakegpu.allocate.pool.GroupPolicy;
import dev.fakegpu.allocate.pool.GroupsGate;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Options of an allocator.
 *
 * @param features that are on
 * @param tolerations added to those of every request, but not written to results
 * @param shareIds makes the ID of each share of a device, a UUID
 */
public record AllocatorOptions(
        Set<Feature> features,
        GroupsGate gate,
        GroupPolicy groupPolicy,
        List<DeviceToleration> tolerations,
        Supplier<String> shareIds) {

    public AllocatorOptions {
        var known = EnumSet.noneOf(Feature.class);
        known.addAll(features);
        features = Collections.unmodifiableSet(known);
        tolerations = List.copyOf(tolerations);
    }

    /** With random share IDs. */
    public AllocatorOptions(
            Set<Feature> features, GroupsGate gate, GroupPolicy groupPolicy, List<DeviceToleration> tolerations) {
        this(features, gate, groupPolicy, tolerations, ShareIds.random());
    }

    /** With every feature and random share IDs. */
    public AllocatorOptions(GroupsGate gate, GroupPolicy groupPolicy, List<DeviceToleration> tolerations) {
        this(Feature.all(), gate, groupPolicy, tolerations);
    }

    /** The same, as if every request tolerated a taint. */
    public AllocatorOptions tolerating(DeviceTaint taint) {
        var more = new ArrayList<>(tolerations);
        more.add(new DeviceToleration(taint.key(), "Equal", taint.value(), taint.effect(), null));
        return new AllocatorOptions(features, gate, groupPolicy, more, shareIds);
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    CapacityRounding capacityRounding() {
        return has(Feature.FRACTIONAL_CAPACITY_RANGE) ? CapacityRounding.THOUSANDTHS : CapacityRounding.WHOLE_UNITS;
    }
}
