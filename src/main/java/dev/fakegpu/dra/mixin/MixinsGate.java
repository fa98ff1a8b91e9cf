package dev.fakegpu.dra.mixin;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * How a scheduler treats the mixins of slices, depending on the gate {@code ResourceSliceMixins} of KEP-5234. The names in parentheses are
 * sections of the KEP.
 */
public enum MixinsGate {
    /** The scheduler resolves them. */
    ON,
    /**
     * The scheduler ignores counter sets and devices that include mixins. It also ignores devices that consume from an ignored counter set,
     * in any slice of the pool ("Implementation").
     */
    OFF,
    /** The scheduler does not know the fields, so it uses counter sets and devices without what they include ("Version Skew Strategy"). */
    UNAWARE;

    /** The companion's setting in the operator's ConfigMap. */
    public static final String SETTING = "companion.mixins";

    /**
     * What a scheduler sees of a slice.
     *
     * @param counterSets the names of counter sets that it ignores because they include mixins
     * @param devices the names of devices that it ignores because they include mixins
     * @param dependents the names of other devices that it ignores, each with the counter set that they miss
     */
    public record Visible(Slice slice, List<String> counterSets, List<String> devices, Map<String, String> dependents) {

        public Visible {
            counterSets = List.copyOf(counterSets);
            devices = List.copyOf(devices);
            dependents = Collections.unmodifiableMap(new TreeMap<>(dependents));
        }

        public boolean isComplete() {
            return counterSets.isEmpty() && devices.isEmpty() && dependents.isEmpty();
        }

        /**
         * The visible part of another form of the slice, such as one with compatibility groups.
         *
         * @param other has all devices and counter sets
         */
        public Slice of(Slice other) {
            Map<String, Device> seen = new HashMap<>();
            slice.devices().forEach(device -> seen.put(device.name(), device));
            return other.withCounterSets(slice.counterSets())
                    .withDevices(other.devices().stream()
                            .filter(device -> seen.containsKey(device.name()))
                            .map(device -> of(device, Objects.requireNonNull(seen.get(device.name()))))
                            .toList());
        }

        private static Device of(Device other, Device seen) {
            Map<String, CounterConsumption> counters = new HashMap<>();
            seen.consumesCounters().forEach(each -> counters.put(each.counterSet(), each));
            return other.withAttributes(seen.attributes())
                    .withCapacity(seen.capacity())
                    .withConsumption(each -> new CounterConsumption(
                            each.counterSet(),
                            counters.getOrDefault(each.counterSet(), each).counters(),
                            each.compatibilityGroups()));
        }

        private static Visible all(Slice slice) {
            return new Visible(slice, List.of(), List.of(), Map.of());
        }
    }

    /** Identifies the slices of one generation of a pool. */
    private record Generation(PoolId pool, long number) {
        static Generation of(MixedSlice slice) {
            return new Generation(slice.own().pool(), slice.own().generation());
        }
    }

    /**
     * What a scheduler sees of the slices, in the same order.
     *
     * @throws IllegalArgumentException if this is {@link #ON} and an included mixin does not exist
     */
    public List<Visible> visible(List<MixedSlice> slices) {
        return switch (this) {
            case ON -> slices.stream().map(slice -> Visible.all(slice.flat())).toList();
            case UNAWARE ->
                slices.stream().map(slice -> Visible.all(slice.own())).toList();
            case OFF -> withoutMixins(slices);
        };
    }

    private static List<Visible> withoutMixins(List<MixedSlice> slices) {
        Map<Generation, Set<String>> leftOut = new HashMap<>();
        slices.forEach(slice -> leftOut.computeIfAbsent(Generation.of(slice), pool -> new HashSet<>())
                .addAll(counterSetsWithMixins(slice)));
        return slices.stream()
                .map(slice -> withoutMixins(slice, leftOut.getOrDefault(Generation.of(slice), Set.of())))
                .toList();
    }

    private static List<String> counterSetsWithMixins(MixedSlice slice) {
        return slice.hardware().counterSets().stream()
                .filter(set -> !set.includes().isEmpty())
                .map(set -> set.own().name())
                .toList();
    }

    private static Visible withoutMixins(MixedSlice slice, Set<String> counterSetsLeftOut) {
        var devices = new ArrayList<String>();
        var dependents = new LinkedHashMap<String, String>();
        var kept = new ArrayList<Device>();
        for (Mixins.DeviceWithMixins device : slice.hardware().devices()) {
            var missing = device.own().consumesCounters().stream()
                    .map(CounterConsumption::counterSet)
                    .filter(counterSetsLeftOut::contains)
                    .findFirst();
            if (device.usesMixins()) {
                devices.add(device.own().name());
            } else if (missing.isPresent()) {
                dependents.put(device.own().name(), missing.get());
            } else {
                kept.add(device.own());
            }
        }
        var counterSets = counterSetsWithMixins(slice);
        Slice visible = slice.own()
                .withDevices(kept)
                .withCounterSets(slice.own().counterSets().stream()
                        .filter(set -> !counterSets.contains(set.name()))
                        .toList());
        return new Visible(visible, counterSets, devices, dependents);
    }
}
