package dev.fakegpu.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.inventory.Mixins.MixedCounterSet;
import dev.fakegpu.inventory.Mixins.MixedDevice;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Counter sets and devices with mixins, as somebody wrote them. */
public record MixedHardware(Mixins mixins, List<MixedCounterSet> counterSets, List<MixedDevice> devices) {

    public MixedHardware {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /** Custom hardware as it is written; {@link InventoryPlanner#check} says whether it can be read. */
    public static MixedHardware of(CustomSpec custom) {
        return CustomInventory.mixed(custom);
    }

    /**
     * How much is written: what KEP-5234 limits in a slice, devices and counter sets and mixins alike.
     *
     * @param attributesAndCapacities at most 4096
     * @param counters of counter sets, at most 256
     * @param consumedCounters at most 2048
     */
    public record Entries(int attributesAndCapacities, int counters, int consumedCounters) {}

    /** @throws IllegalArgumentException if something includes what there is not */
    public List<CounterSet> flatCounterSets() {
        return counterSets.stream().map(mixins::flatten).toList();
    }

    /** @throws IllegalArgumentException if something includes what there is not */
    public List<Device> flatDevices() {
        return devices.stream().map(mixins::flatten).toList();
    }

    /** What is written, mixins included. */
    public Entries written() {
        Entries objects = entries(
                counterSets.stream().map(MixedCounterSet::own).toList(),
                devices.stream().map(MixedDevice::own).toList());
        return new Entries(
                objects.attributesAndCapacities
                        + mixins.device().values().stream()
                                .mapToInt(mixin -> mixin.attributes().size()
                                        + mixin.capacity().size())
                                .sum(),
                objects.counters + sizes(mixins.counterSet().values()),
                objects.consumedCounters + sizes(mixins.counterConsumption().values()));
    }

    /** What has to be written without mixins; beside {@link #written} it says what they save. */
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
