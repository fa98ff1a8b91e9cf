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

/** What schedulers make of the mixins of slices: the gate {@code ResourceSliceMixins} of KEP-5234, whose sections are named below. */
public enum MixinsGate {
    /** They are resolved. */
    ON,
    /**
     * Counter sets and devices that include mixins are left out, and devices that consume from a counter set that is left out, in whatever
     * slice of the pool they are ("Implementation").
     */
    OFF,
    /** A scheduler that does not know the fields takes counter sets and devices without what they include ("Version Skew Strategy"). */
    UNAWARE;

    /** The companion's setting in the operator's ConfigMap. */
    public static final String SETTING = "companion.mixins";

    /**
     * What schedulers see of a slice.
     *
     * @param counterSets the names of those that are left out because they include mixins
     * @param devices the names of those that are left out because they include mixins
     * @param dependents the names of other devices that are left out, each with the counter set that is left out
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
         * The same of the slice with other fields, such as groups.
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

    /** The slices of one generation of a pool. */
    private record Generation(PoolId pool, long number) {
        static Generation of(MixedSlice slice) {
            return new Generation(slice.own().pool(), slice.own().generation());
        }
    }

    /**
     * What schedulers see of slices, in their order.
     *
     * @throws IllegalArgumentException if an included mixin does not exist, unless nobody looks for it
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
