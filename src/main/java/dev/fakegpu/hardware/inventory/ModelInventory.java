package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.hardware.catalog.GpuModel;
import java.util.ArrayList;

/**
 * The GPUs of a model, named as NVIDIA's DRA driver names them. Devices are in numeric order of the GPUs. Within a GPU, the order is: the
 * whole GPU, MIG devices by name, time-sliced vGPUs from small to large types, MIG-backed vGPUs, and VFIO. (NVIDIA's driver sorts by name
 * within a GPU.)
 */
final class ModelInventory {
    private ModelInventory() {}

    static Inventory of(
            GpuModel model,
            ResolvedPartitions partitions,
            int gpus,
            TopologySpec topology,
            String fakeGpuName,
            String nodeName) {
        var counterSets = new ArrayList<CounterSet>();
        var devices = new ArrayList<Device>();
        for (int index = 0; index < gpus; index++) {
            var identity = GpuIdentity.of(nodeName, fakeGpuName, index, gpus, topology);
            var gpu = new ModelGpu(model, partitions, identity, topology);
            gpu.counterSet().ifPresent(counterSets::add);
            devices.addAll(gpu.devices());
        }
        return new Inventory(gpus, counterSets, devices);
    }
}
