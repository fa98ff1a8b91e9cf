package dev.fakegpu.inventory;

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
 * What one node has of a FakeGpu.
 *
 * @param gpus physical GPUs; for custom hardware the counter sets, at least one
 * @param counterSets what devices share
 * @param devices in publishing order, which is visible: an allocator takes the first one that fits
 */
public record Inventory(int gpus, List<CounterSet> counterSets, List<Device> devices) {

    private static final DeviceTaint COMPANION_ONLY =
            new DeviceTaint(Labels.ALLOCATOR_TAINT, Labels.COMPANION, "NoSchedule");

    public Inventory {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /**
     * What the API server gets to see of this hardware: compatibility groups unless the spec withholds them or names others, and a
     * taint that
     * keeps kube-scheduler off devices that the companion gives away.
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
                : consumption.withGroups(Scheme.rename(consumption.compatibilityGroups(), names));
    }

    private static Device tainted(Device device) {
        return device.withTaints(Stream.concat(device.taints().stream(), Stream.of(COMPANION_ONLY))
                .toList());
    }
}
