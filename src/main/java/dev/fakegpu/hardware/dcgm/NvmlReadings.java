package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.dcgm.DcgmField.Reading;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Errors;
import dev.fakegpu.hardware.dcgm.LoadCurve.Load;
import dev.fakegpu.hardware.inventory.GpuMemory;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What NVML says of a device in the container of a running pod that holds it, for as long as {@code spec.load} stays the same: the numbers
 * are those of the metrics. What follows a curve over time is left out. NVML has no utilization of a GPU with MIG devices, and the
 * temperature, power and clocks of a partition's GPU depend on who uses its other partitions, so they are left out, too.
 */
public final class NvmlReadings {

    private NvmlReadings() {}

    /**
     * Names and values, without what is not known.
     *
     * @param sets the counter sets of the device's pool
     * @param gpuMemory the memory of a whole GPU of its FakeGpu
     */
    public static Map<String, String> of(Device device, List<CounterSet> sets, LoadSpec load, GpuMemory gpuMemory) {
        var readings = new LinkedHashMap<String, String>();
        long memory = memory(device, gpuMemory);
        if (memory > 0) {
            readings.put("memoryTotalMiB", Long.toString(memory));
        }
        String address = GpuReader.text(device, DcgmGpus.PCI_BUS_ID);
        if (address.isEmpty()) {
            return readings;
        }
        readings.put("busId", GpuReader.nvmlAddress(address));
        if (GpuReader.type(device).equals("mig")) {
            readings.put("gpuInstanceId", Integer.toString(GpuReader.instanceId(device, byName(sets))));
        }
        if (load.mode() != LoadSpec.Mode.Curve) {
            Load busy = LoadCurve.at(Instant.EPOCH, load, true);
            var reading = new Reading(new Errors(0, false), memory, busy, busy.utilization());
            fields(GpuReader.type(device), memory > 0)
                    .forEach((name, field) -> readings.put(name, Long.toString(Math.round(field.value(reading)))));
        }
        return readings;
    }

    private static long memory(Device device, GpuMemory gpuMemory) {
        long own = GpuReader.ownMemory(device);
        return GpuReader.type(device).equals("gpu") ? gpuMemory.reported(own) : own;
    }

    private static Map<String, DcgmField> fields(String type, boolean hasMemory) {
        var fields = new LinkedHashMap<String, DcgmField>();
        if (hasMemory) {
            fields.put("memoryUsedMiB", DcgmField.DCGM_FI_DEV_FB_USED);
            fields.put("memoryFreeMiB", DcgmField.DCGM_FI_DEV_FB_FREE);
        }
        if (!type.equals("mig")) {
            fields.put("utilizationGpu", DcgmField.DCGM_FI_DEV_GPU_UTIL);
            fields.put("utilizationMemory", DcgmField.DCGM_FI_DEV_MEM_COPY_UTIL);
        }
        if (type.equals("gpu")) {
            fields.put("temperatureGpu", DcgmField.DCGM_FI_DEV_GPU_TEMP);
            fields.put("temperatureMemory", DcgmField.DCGM_FI_DEV_MEMORY_TEMP);
            fields.put("powerDrawW", DcgmField.DCGM_FI_DEV_POWER_USAGE);
            fields.put("smClockMHz", DcgmField.DCGM_FI_DEV_SM_CLOCK);
            fields.put("memoryClockMHz", DcgmField.DCGM_FI_DEV_MEM_CLOCK);
        }
        return fields;
    }

    private static Map<String, CounterSet> byName(List<CounterSet> sets) {
        return sets.stream().collect(Collectors.toMap(CounterSet::name, Function.identity(), (one, other) -> one));
    }
}
