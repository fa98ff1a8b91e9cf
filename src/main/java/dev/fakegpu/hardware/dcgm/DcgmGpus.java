package dev.fakegpu.hardware.dcgm;

import dev.fakegpu.api.LoadSpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.hardware.dcgm.DcgmGpu.Mode;
import dev.fakegpu.hardware.inventory.NvmlGpu;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds the GPUs in slices of FakeGpus. Devices of a pool with the same PCI bus ID belong to one GPU. Devices without an address, such as
 * those of custom hardware and of dra-example-driver, are ignored, since dcgm-exporter would not know them.
 */
public final class DcgmGpus {

    static final String PCI_BUS_ID = "resource.kubernetes.io/pciBusID";

    /** A slice, the load of its FakeGpu's GPUs, and what NVML knows about them. */
    public record PublishedSlice(Slice slice, LoadSpec load, NvmlGpu nvml) {}

    /** A GPU under construction. */
    record Parts(PublishedSlice first, List<Device> devices) {}

    private record GpuKey(PoolId pool, String pciBusId) {}

    private DcgmGpus() {}

    /**
     * The GPUs in the order of the slices.
     *
     * @param slices slices of any generations; only the newest generation of each pool counts
     * @param holders the holders of each device that is held
     */
    public static List<DcgmGpu> of(List<PublishedSlice> slices, Map<DeviceId, List<Holder>> holders, Naming naming) {
        Map<PoolId, Long> newest = new HashMap<>();
        slices.forEach(each -> newest.merge(each.slice().pool(), each.slice().generation(), Math::max));
        Map<GpuKey, Parts> gpus = new LinkedHashMap<>();
        Map<PoolId, Map<String, CounterSet>> sets = new HashMap<>();
        for (PublishedSlice each : slices) {
            PoolId pool = each.slice().pool();
            if (Objects.equals(newest.get(pool), each.slice().generation())) {
                each.slice()
                        .counterSets()
                        .forEach(set -> sets.computeIfAbsent(pool, ignored -> new HashMap<>())
                                .put(set.name(), set));
                each.slice().devices().forEach(device -> add(each, device, gpus));
            }
        }
        var result = new ArrayList<DcgmGpu>(gpus.size());
        gpus.forEach((key, parts) ->
                result.add(new GpuReader(parts, sets.getOrDefault(key.pool(), Map.of()), holders, naming).read()));
        return result;
    }

    /** Whether samples contain the names of pods and claims. */
    public enum Naming {
        NAMED,
        ANONYMOUS
    }

    private static void add(PublishedSlice slice, Device device, Map<GpuKey, Parts> gpus) {
        var address = device.attributes().get(PCI_BUS_ID);
        if (address != null) {
            gpus.computeIfAbsent(
                            new GpuKey(slice.slice().pool(), address.toString()),
                            key -> new Parts(slice, new ArrayList<>()))
                    .devices()
                    .add(device);
        }
    }

    /** The number of GPUs in each mode. */
    public static Map<Mode, Integer> countByMode(List<DcgmGpu> gpus) {
        var counts = new EnumMap<Mode, Integer>(Mode.class);
        gpus.forEach(gpu -> counts.merge(gpu.mode(), 1, Integer::sum));
        return Collections.unmodifiableMap(counts);
    }
}
