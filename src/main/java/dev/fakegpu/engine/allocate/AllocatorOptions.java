package dev.fakegpu.engine.allocate;

import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.DeviceToleration;
import dev.fakegpu.engine.allocate.pool.CapacityRounding;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Options of an allocator.
 *
 * @param features the features that are enabled
 * @param tolerations tolerations that are added to those of every request, but not written to results
 * @param shareIds creates the ID of each share of a device, a UUID
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

    /** Options with random share IDs. */
    public AllocatorOptions(
            Set<Feature> features, GroupsGate gate, GroupPolicy groupPolicy, List<DeviceToleration> tolerations) {
        this(features, gate, groupPolicy, tolerations, ShareIds.random());
    }

    /** Options with every feature and random share IDs. */
    public AllocatorOptions(GroupsGate gate, GroupPolicy groupPolicy, List<DeviceToleration> tolerations) {
        this(Feature.all(), gate, groupPolicy, tolerations);
    }

    /** The same options, but every request tolerates these taints. */
    public AllocatorOptions tolerating(List<DeviceTaint> taints) {
        return withTolerations(taints.stream()
                .map(taint -> new DeviceToleration(taint.key(), "Equal", taint.value(), taint.effect(), null)));
    }

    /** The same options, but every request tolerates every taint. */
    public AllocatorOptions toleratingEverything() {
        return withTolerations(Stream.of(new DeviceToleration("", "Exists", "", "", null)));
    }

    private AllocatorOptions withTolerations(Stream<DeviceToleration> more) {
        return new AllocatorOptions(
                features,
                gate,
                groupPolicy,
                Stream.concat(tolerations.stream(), more).toList(),
                shareIds);
    }

    public AllocatorOptions with(GroupsGate newGate) {
        return new AllocatorOptions(features, newGate, groupPolicy, tolerations, shareIds);
    }

    boolean has(Feature feature) {
        return features.contains(feature);
    }

    CapacityRounding capacityRounding() {
        return has(Feature.FRACTIONAL_CAPACITY_RANGE) ? CapacityRounding.THOUSANDTHS : CapacityRounding.WHOLE_UNITS;
    }
}
