package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Devices of a counter set that differ only in a number, such as slots of a vGPU type or placements of a MIG profile. They have the same
 * groups and consume the same amounts, possibly of numbered counters.
 *
 * @param name the device's name; for several devices, the common part with {@code *} for the number
 * @param groups their groups on the counter set
 */
public record Kind(String name, List<Device> devices, List<String> groups) {

    private static final Pattern LAST_NUMBER = Pattern.compile("\\d+$");
    private static final Pattern NUMBER = Pattern.compile("\\d+");

    public Kind {
        devices = List.copyOf(devices);
        groups = List.copyOf(groups);
    }

    /** Devices with equal keys belong to one kind. */
    private record Key(String stem, List<String> shape, boolean shared) {}

    /** The kinds of a counter set's consumers, in the order of their first devices. */
    static List<Kind> of(List<Device> consumers, String counterSet) {
        return alike(consumers).stream()
                .map(devices -> new Kind(
                        title(devices),
                        devices,
                        PoolHardware.consumption(devices.get(0), counterSet).compatibilityGroups()))
                .toList();
    }

    /** Groups devices that differ only in a number, in the order of the first device of each group. */
    public static List<List<Device>> alike(List<Device> devices) {
        var byKey = new LinkedHashMap<Key, List<Device>>();
        devices.forEach(device -> byKey.computeIfAbsent(
                        new Key(stem(device), shape(device), device.allowMultipleAllocations()),
                        ignored -> new ArrayList<>())
                .add(device));
        return List.copyOf(byKey.values());
    }

    /** The name of devices that differ only in a number: the common part with {@code *}, or the full name of a single device. */
    public static String title(List<Device> alike) {
        return alike.size() == 1 ? alike.get(0).name() : stem(alike.get(0));
    }

    /** Joins the names of devices; names that differ only in a number are combined. */
    static List<String> names(List<Device> devices) {
        var byStem = new LinkedHashMap<String, List<String>>();
        devices.forEach(device -> byStem.computeIfAbsent(stem(device), ignored -> new ArrayList<>())
                .add(device.name()));
        return byStem.entrySet().stream()
                .map(entry -> entry.getValue().size() == 1
                        ? entry.getValue().get(0)
                        : entry.getKey() + " (" + entry.getValue().size() + ")")
                .toList();
    }

    static String stem(Device device) {
        return LAST_NUMBER.matcher(device.name()).replaceFirst("*");
    }

    /** Whether several claims can share one of these devices (KEP-5075). */
    boolean isShared() {
        return devices.stream().anyMatch(Device::allowMultipleAllocations);
    }

    private static List<String> shape(Device device) {
        return device.consumesCounters().stream().map(Kind::shape).toList();
    }

    private static String shape(CounterConsumption entry) {
        return unnumbered(entry.counterSet())
                + entry.compatibilityGroups().stream().sorted().toList()
                + entry.counters().entrySet().stream()
                        .map(counter -> unnumbered(counter.getKey()) + "="
                                + counter.getValue().value().stripTrailingZeros())
                        .sorted()
                        .toList();
    }

    /** The name with its numbers replaced by {@code *}. */
    static String unnumbered(String name) {
        return NUMBER.matcher(name).replaceAll("#");
    }
}
