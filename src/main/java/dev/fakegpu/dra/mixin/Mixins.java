package dev.fakegpu.dra.mixin;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The mixins (KEP-5234, {@code ResourceSliceMixins}) that devices and counter sets can include, by name. Includes are applied in order:
 * later ones override earlier ones entry by entry (a capacity together with its policy), and the object's own entries override those of all
 * mixins. Entries cannot be removed, and mixins cannot include other mixins.
 */
public record Mixins(
        Map<String, DeviceMixin> device,
        Map<String, Map<String, Quantity>> counterConsumption,
        Map<String, Map<String, Quantity>> counterSet) {

    public static final Mixins NONE = new Mixins(Map.of(), Map.of(), Map.of());

    /** The attributes and capacities of a device mixin. */
    public record DeviceMixin(Map<String, AttributeValue> attributes, Map<String, DeviceCapacity> capacity) {}

    /**
     * A counter set whose mixins are not resolved yet.
     *
     * @param own the name and the counters that the counter set has itself
     */
    public record CounterSetWithMixins(CounterSet own, List<String> includes) {}

    /**
     * A device whose mixins are not resolved yet.
     *
     * @param own the device without its mixins
     * @param consumptionIncludes the includes of each of its counter consumptions
     */
    public record DeviceWithMixins(Device own, List<String> includes, List<List<String>> consumptionIncludes) {

        static DeviceWithMixins plain(Device device) {
            return new DeviceWithMixins(
                    device,
                    List.of(),
                    Collections.nCopies(device.consumesCounters().size(), List.of()));
        }

        /** Whether the device or one of its consumptions includes a mixin. */
        boolean usesMixins() {
            return !includes.isEmpty() || consumptionIncludes.stream().anyMatch(consumption -> !consumption.isEmpty());
        }
    }

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public CounterSet flatten(CounterSetWithMixins set) {
        return new CounterSet(
                set.own().name(),
                merge(
                        set.includes(),
                        name -> find(counterSet, "counterSet", name),
                        set.own().counters()));
    }

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public Device flatten(DeviceWithMixins mixed) {
        Device own = mixed.own();
        var consumptions = new ArrayList<CounterConsumption>();
        for (int i = 0; i < own.consumesCounters().size(); i++) {
            consumptions.add(flatten(
                    own.consumesCounters().get(i), mixed.consumptionIncludes().get(i)));
        }
        return own.withAttributes(merge(
                        mixed.includes(), name -> find(device, "device", name).attributes(), own.attributes()))
                .withCapacity(merge(
                        mixed.includes(), name -> find(device, "device", name).capacity(), own.capacity()))
                .withConsumesCounters(consumptions);
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
            throw new IllegalArgumentException("\"%s\" is not a %s mixin; there are: %s"
                    .formatted(name, kind, mixins.keySet().stream().sorted().collect(Collectors.joining(", "))));
        }
        return mixin;
    }
}
