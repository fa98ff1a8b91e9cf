package dev.fakegpu.dra.mixin;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.mixin.Mixins.CounterSetWithMixins;
import dev.fakegpu.dra.mixin.Mixins.DeviceWithMixins;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counter sets and devices whose mixins (KEP-5234) are not resolved yet. */
public record HardwareWithMixins(
        Mixins mixins, List<CounterSetWithMixins> counterSets, List<DeviceWithMixins> devices) {

    public HardwareWithMixins {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /** Hardware that includes no mixins. */
    static HardwareWithMixins plain(List<CounterSet> counterSets, List<Device> devices) {
        return new HardwareWithMixins(
                Mixins.NONE,
                counterSets.stream()
                        .map(set -> new CounterSetWithMixins(set, List.of()))
                        .toList(),
                devices.stream().map(DeviceWithMixins::plain).toList());
    }

    /**
     * The numbers of entries that KEP-5234 limits in a slice. Each is the total over devices, counter sets and mixins.
     *
     * @param attributesAndCapacities at most 4096
     * @param counters counters of counter sets, at most 256
     * @param consumedCounters at most 2048
     */
    public record Entries(int attributesAndCapacities, int counters, int consumedCounters) {}

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public List<CounterSet> flatCounterSets() {
        return counterSets.stream().map(mixins::flatten).toList();
    }

    /** @throws IllegalArgumentException if an included mixin does not exist */
    public List<Device> flatDevices() {
        return devices.stream().map(mixins::flatten).toList();
    }

    /** The numbers of entries as written; those of a mixin count once. */
    public Entries written() {
        Entries objects = entries(
                counterSets.stream().map(CounterSetWithMixins::own).toList(),
                devices.stream().map(DeviceWithMixins::own).toList());
        return new Entries(
                objects.attributesAndCapacities
                        + mixins.device().values().stream()
                                .mapToInt(mixin -> mixin.attributes().size()
                                        + mixin.capacity().size())
                                .sum(),
                objects.counters + sizes(mixins.counterSet().values()),
                objects.consumedCounters + sizes(mixins.counterConsumption().values()));
    }

    /** The numbers of entries after mixins are resolved. The difference from {@link #written} is what mixins save. */
    public Entries flattened() {
        return entries(flatCounterSets(), flatDevices());
    }

    private static Entries entries(List<CounterSet> sets, List<Device> devices) {
        return new Entries(
                devices.stream()
                        .mapToInt(device ->
                                device.attributes().size() + device.capacity().size())
                        .sum(),
                sizes(sets.stream().map(CounterSet::counters).toList()),
                devices.stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .mapToInt(consumption -> consumption.counters().size())
                        .sum());
    }

    private static int sizes(Collection<? extends Map<?, ?>> maps) {
        return maps.stream().mapToInt(Map::size).sum();
    }
}
