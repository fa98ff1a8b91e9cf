package dev.fakegpu.inventory;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What devices and counter sets can include (KEP-5234, {@code ResourceSliceMixins}), by name. Includes are applied in their order;
 * a later one overrides an earlier one entry by entry, a capacity together with its policy, and the object's own entries override
 * all. Nothing is taken away, and mixins include no others.
 */
public record Mixins(
        Map<String, DeviceMixin> device,
        Map<String, Map<String, Quantity>> counterConsumption,
        Map<String, Map<String, Quantity>> counterSet) {

    public static final Mixins NONE = new Mixins(Map.of(), Map.of(), Map.of());

    /** What devices have in common. */
    public record DeviceMixin(Map<String, AttributeValue> attributes, Map<String, DeviceCapacity> capacity) {}

    /**
     * A counter set before its mixins are put in.
     *
     * @param own name and counters of its own
     */
    public record MixedCounterSet(CounterSet own, List<String> includes) {}

    /**
     * A device before its mixins are put in.
     *
     * @param own all that it says itself
     * @param consumptionIncludes for each of its counter consumptions what that includes
     */
    public record MixedDevice(Device own, List<String> includes, List<List<String>> consumptionIncludes) {}

    /** @throws IllegalArgumentException if it includes what there is not */
    public CounterSet flatten(MixedCounterSet set) {
        return new CounterSet(
                set.own().name(),
                merge(
                        set.includes(),
                        name -> find(counterSet, "counterSet", name),
                        set.own().counters()));
    }

    /** @throws IllegalArgumentException if it includes what there is not */
    public Device flatten(MixedDevice mixed) {
        Device own = mixed.own();
        var consumptions = new ArrayList<CounterConsumption>();
        for (int i = 0; i < own.consumesCounters().size(); i++) {
            consumptions.add(flatten(
                    own.consumesCounters().get(i), mixed.consumptionIncludes().get(i)));
        }
        return new Device(
                own.name(),
                merge(mixed.includes(), name -> find(device, "device", name).attributes(), own.attributes()),
                merge(mixed.includes(), name -> find(device, "device", name).capacity(), own.capacity()),
                consumptions,
                own.taints(),
                own.allowMultipleAllocations(),
                own.nodes(),
                own.binding());
    }

    private CounterConsumption flatten(CounterConsumption own, List<String> includes) {
        return new CounterConsumption(
                own.counterSet(),
                merge(includes, name -> find(counterConsumption, "counterConsumption", name), own.counters()),
                own.compatibilityGroups());
    }

    private static <T> Map<String, T> merge(
            List<String> includes, Function<String, Map<String, T>> mixin, Map<String, T> own) {
        var merged = new LinkedHashMap<String, T>();
        includes.forEach(name -> merged.putAll(mixin.apply(name)));
        merged.putAll(own);
        return merged;
    }

    private static <T> T find(Map<String, T> mixins, String kind, String name) {
        T mixin = mixins.get(name);
        if (mixin == null) {
            throw new IllegalArgumentException("\"%s\" is no %s mixin; there are: %s"
                    .formatted(name, kind, mixins.keySet().stream().sorted().collect(Collectors.joining(", "))));
        }
        return mixin;
    }
}
