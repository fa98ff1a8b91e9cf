package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The devices and counter sets of a slice after its mixins (KEP-5234) are resolved, and how much the mixins save.
 *
 * @param counterSets the counter sets with their mixins resolved
 * @param devices the devices with their mixins resolved
 * @param written the number of entries with mixins
 * @param flattened the number of entries without mixins
 * @param problems violations of the KEP, as sentences; objects that cannot be resolved are omitted
 */
public record MixinReport(
        List<CounterSet> counterSets,
        List<Device> devices,
        HardwareWithMixins.Entries written,
        HardwareWithMixins.Entries flattened,
        List<String> problems) {

    public MixinReport {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
        problems = List.copyOf(problems);
    }

    /** A report on hardware that is distributed over slices later, so that the limits of a slice do not apply. */
    public static MixinReport of(HardwareWithMixins hardware) {
        return of(hardware, new ArrayList<>());
    }

    /** A report on the hardware of one slice, which checks the KEP's limits. */
    public static MixinReport ofSlice(HardwareWithMixins hardware) {
        var problems = new ArrayList<String>();
        hardware.counterSets()
                .forEach(set -> checkIncludes("counter set " + set.own().name(), set.includes(), problems));
        hardware.devices().forEach(device -> {
            checkIncludes("device " + device.own().name(), device.includes(), problems);
            device.consumptionIncludes()
                    .forEach(includes ->
                            checkIncludes("device " + device.own().name() + ", consumesCounters", includes, problems));
        });
        HardwareWithMixins.Entries written = hardware.written();
        atMost(Limits.DEVICES, hardware.devices().size(), "devices", problems);
        atMost(
                Limits.ATTRIBUTES_AND_CAPACITIES_WRITTEN,
                written.attributesAndCapacities(),
                "attributes and capacities",
                problems);
        atMost(Limits.COUNTERS_WRITTEN, written.counters(), "counters", problems);
        atMost(Limits.CONSUMED_COUNTERS_WRITTEN, written.consumedCounters(), "consumed counters", problems);
        return of(hardware, problems);
    }

    private static MixinReport of(HardwareWithMixins hardware, List<String> problems) {
        var counterSets = new ArrayList<CounterSet>();
        hardware.counterSets()
                .forEach(set -> flatten(
                        "counter set " + set.own().name(),
                        () -> hardware.mixins().flatten(set),
                        counterSets,
                        problems));
        var devices = new ArrayList<Device>();
        hardware.devices()
                .forEach(device -> flatten(
                        "device " + device.own().name(), () -> hardware.mixins().flatten(device), devices, problems));
        devices.forEach(device -> atMost(
                Limits.ATTRIBUTES_AND_CAPACITIES,
                device.attributes().size() + device.capacity().size(),
                "device " + device.name() + ", attributes and capacities with what is included",
                problems));
        HardwareWithMixins.Entries written = hardware.written();
        return new MixinReport(
                counterSets, devices, written, problems.isEmpty() ? hardware.flattened() : written, problems);
    }

    private static <T> void flatten(String what, Supplier<T> flattened, List<T> all, List<String> problems) {
        try {
            all.add(flattened.get());
        } catch (IllegalArgumentException e) {
            problems.add(what + ": " + e.getMessage());
        }
    }

    private static void checkIncludes(String what, List<String> includes, List<String> problems) {
        atMost(Limits.INCLUDES, includes.size(), what + ", includes", problems);
    }

    private static void atMost(int limit, int actual, String what, List<String> problems) {
        if (actual > limit) {
            problems.add("%s: %s are too many; allowed: at most %s".formatted(what, actual, limit));
        }
    }

    /** Describes the savings in words. */
    public String saved(long bytesWritten, long bytesFlattened) {
        return "%s bytes with mixins, %s without (%s); attributes and capacities %s and %s, counters %s and %s, consumed counters %s and %s"
                .formatted(
                        bytesWritten,
                        bytesFlattened,
                        difference(bytesWritten, bytesFlattened),
                        written.attributesAndCapacities(),
                        flattened.attributesAndCapacities(),
                        written.counters(),
                        flattened.counters(),
                        written.consumedCounters(),
                        flattened.consumedCounters());
    }

    private static String difference(long written, long flattened) {
        if (written == flattened || flattened == 0) {
            return "nothing is saved";
        }
        long percent = Math.round(100.0 * Math.abs(flattened - written) / flattened);
        return percent + "% " + (written < flattened ? "saved" : "more than without");
    }
}
