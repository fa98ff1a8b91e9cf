package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Limits;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.hardware.inventory.field.PolicyCheck;
import dev.fakegpu.hardware.inventory.field.Problems;
import dev.fakegpu.util.Suggestion;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks custom hardware after its mixins are resolved. It applies the API server's validation of the ResourceSlices of one pool
 * ({@code pkg/apis/resource/validation}, Kubernetes 1.37), finds devices that could never be allocated, and, if mixins are used, applies
 * the limits of KEP-5234.
 */
final class FlattenedCheck {

    private final RepeatedHardware hardware;
    private final CustomSpec custom;
    private final HardwareWithMixins mixed;
    private final Problems problems;
    private final Map<String, CounterSet> counterSets = new LinkedHashMap<>();

    /** @param hardware must have been accepted by {@link CustomCheck} */
    FlattenedCheck(RepeatedHardware hardware, Problems problems) {
        this.hardware = hardware;
        this.custom = hardware.custom();
        this.mixed = CustomInventory.mixed(custom);
        this.problems = problems;
    }

    void check() {
        if (custom.mixins() != null) {
            checkWritten(mixed.written());
        }
        List<CounterSet> sets = mixed.flatCounterSets();
        for (int i = 0; i < sets.size(); i++) {
            CounterSet set = sets.get(i);
            String includes = with(custom.counterSets().get(i).includes());
            String field = hardware.counterSetField(i);
            problems.once(
                    field,
                    () -> problems.ifMoreThan(
                            Limits.COUNTERS, set.counters().size(), field + ".counters", "counters" + includes));
            counterSets.put(set.name(), set);
        }
        List<Device> devices = mixed.flatDevices();
        for (int i = 0; i < devices.size(); i++) {
            Device device = devices.get(i);
            CustomSpec.Device written = custom.devices().get(i);
            String field = hardware.deviceField(i);
            problems.once(field, () -> checkDevice(field, device, written));
        }
    }

    private void checkWritten(HardwareWithMixins.Entries written) {
        problems.ifMoreThan(
                Limits.ATTRIBUTES_AND_CAPACITIES_WRITTEN,
                written.attributesAndCapacities(),
                "spec.custom",
                "attributes and capacities over devices and device mixins");
        problems.ifMoreThan(
                Limits.COUNTERS_WRITTEN,
                written.counters(),
                "spec.custom",
                "counters over counterSets and counterSet mixins");
        problems.ifMoreThan(
                Limits.CONSUMED_COUNTERS_WRITTEN,
                written.consumedCounters(),
                "spec.custom",
                "consumed counters over devices and counterConsumption mixins");
    }

    private void checkDevice(String field, Device device, CustomSpec.Device spec) {
        problems.ifMoreThan(
                Limits.ATTRIBUTES_AND_CAPACITIES,
                device.attributes().size() + device.capacity().size(),
                field,
                "attributes and capacities together" + with(spec.includes()));
        device.capacity().forEach((name, capacity) -> checkPolicy(field, name, capacity, device));
        for (int i = 0; i < device.consumesCounters().size(); i++) {
            checkConsumption(
                    field + ".consumesCounters[" + i + "]",
                    device.consumesCounters().get(i),
                    spec.consumesCounters().get(i).includes());
        }
    }

    private void checkPolicy(String field, String name, DeviceCapacity capacity, Device device) {
        if (capacity.requestPolicy() == null) {
            return;
        }
        String at = field + ".requestPolicies[" + name + "]";
        if (!device.allowMultipleAllocations()) {
            problems.add(at, name, "is for shared devices only", "allowMultipleAllocations: true beside it");
            return;
        }
        new PolicyCheck(at, capacity.value(), problems).check(capacity.requestPolicy());
    }

    private void checkConsumption(String field, CounterConsumption consumption, List<String> includes) {
        problems.ifMoreThan(
                Limits.COUNTERS, consumption.counters().size(), field + ".counters", "counters" + with(includes));
        CounterSet set = counterSets.get(consumption.counterSet());
        if (set == null) {
            problems.add(
                    field + ".counterSet",
                    consumption.counterSet(),
                    "names no counter set" + Suggestion.hint(consumption.counterSet(), counterSets.keySet()),
                    Problems.oneOf(counterSets.keySet(), "no consumesCounters, for there are no counterSets"));
            return;
        }
        consumption
                .counters()
                .forEach((name, amount) -> checkCounter(field + ".counters[" + name + "]", set, name, amount));
    }

    private void checkCounter(String field, CounterSet set, String counter, Quantity amount) {
        Quantity available = set.counters().get(counter);
        if (available == null) {
            problems.add(
                    field,
                    counter,
                    "is not a counter of " + set.name()
                            + Suggestion.hint(counter, set.counters().keySet()),
                    Problems.oneOf(set.counters().keySet(), "none"));
        } else if (amount.compareTo(available) > 0) {
            problems.add(
                    field,
                    amount,
                    "is more than " + set.name() + " has, so the device could never be allocated",
                    "at most " + available);
        }
    }

    private static String with(List<String> includes) {
        return includes.isEmpty() ? "" : " with what is included";
    }
}
