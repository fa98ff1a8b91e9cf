package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.FakeGpuSpec;
import dev.fakegpu.api.FakeGpuSpec.AllocatorName;
import dev.fakegpu.api.FakeGpuSpec.Compatibility;
import dev.fakegpu.api.Labels;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import java.util.List;
import java.util.stream.Stream;

/**
 * The hardware of a FakeGpu on one node.
 *
 * @param gpus the number of physical GPUs; for custom hardware the number of counter sets, but at least one
 * @param counterSets the shared counters
 * @param devices the devices in the order in which they are published, which matters: an allocator takes the first device that fits
 */
public record Inventory(int gpus, List<CounterSet> counterSets, List<Device> devices) {

    private static final DeviceTaint COMPANION_ONLY =
            new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");

    public Inventory {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /**
     * The hardware as it is published: with the compatibility groups that the spec requests, and, on the companion's devices, with a taint
     * that keeps kube-scheduler from allocating them.
     */
    public Inventory published(FakeGpuSpec spec) {
        return new Inventory(
                gpus,
                counterSets,
                devices.stream().map(device -> published(device, spec)).toList());
    }

    private static Device published(Device device, FakeGpuSpec spec) {
        Device shown = device.withConsumption(consumption -> declared(consumption, spec));
        return spec.allocator() == AllocatorName.Companion ? tainted(shown) : shown;
    }

    private static CounterConsumption declared(CounterConsumption consumption, FakeGpuSpec spec) {
        if (spec.compatibility() == Compatibility.None) {
            return consumption.withoutGroups();
        }
        var names = spec.groupNames();
        return names == null
                ? consumption
                : consumption.withGroups(PartitioningScheme.rename(consumption.compatibilityGroups(), names));
    }

    private static Device tainted(Device device) {
        return device.withTaints(Stream.concat(device.taints().stream(), Stream.of(COMPANION_ONLY))
                .toList());
    }
}
