package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.PartitionsSpec;
import dev.fakegpu.api.TopologySpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.hardware.catalog.EqualPartsModel;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * GPUs as kubernetes-sigs/dra-example-driver publishes them ({@code internal/profiles/gpu/gpu.go}): {@code gpu-0}, or for divided GPUs
 * {@code gpu-0-partition-0} etc. and {@code gpu-0-full}. Counters alone make them exclude each other, so there are no groups.
 */
final class EqualPartsInventory {

    private final EqualPartsModel model;
    private final int parts;
    private final List<CounterSet> counterSets = new ArrayList<>();
    private final List<Device> devices = new ArrayList<>();

    private EqualPartsInventory(EqualPartsModel model, int parts) {
        this.model = model;
        this.parts = parts;
    }

    static Inventory of(
            EqualPartsModel model,
            PartitionsSpec partitions,
            int gpus,
            TopologySpec topology,
            String fakeGpuName,
            String nodeName) {
        int parts = partitions.equalParts() == null ? 0 : partitions.equalParts();
        var inventory = new EqualPartsInventory(model, parts);
        for (int index = 0; index < gpus; index++) {
            var gpu = GpuIdentity.of(nodeName, fakeGpuName, index, gpus, topology);
            if (parts == 0) {
                inventory.addUndivided(gpu);
                continue;
            }
            inventory.addParts(gpu);
            if (partitions.offersWhole()) {
                inventory.addWhole(gpu);
            }
        }
        return new Inventory(gpus, inventory.counterSets, inventory.devices);
    }

    private void addUndivided(GpuIdentity gpu) {
        devices.add(new Device(name(gpu), attributes(gpu), model.capacity(), List.of(), List.of()));
    }

    private void addParts(GpuIdentity gpu) {
        String name = name(gpu);
        counterSets.add(new CounterSet(name + "-counters", model.capacity()));
        for (int part = 0; part < parts; part++) {
            Map<String, AttributeValue> attributes = attributes(gpu);
            attributes.put("partition", AttributeValue.of(part));
            attributes.put("partitionable", AttributeValue.of(true));
            devices.add(partition(name, name + "-partition-" + part, attributes, part()));
        }
    }

    /** The device that consumes all counters of a divided GPU. */
    private void addWhole(GpuIdentity gpu) {
        Map<String, AttributeValue> attributes = attributes(gpu);
        attributes.put("partitionable", AttributeValue.of(true));
        attributes.put("full", AttributeValue.of(true));
        devices.add(partition(name(gpu), name(gpu) + "-full", attributes, model.capacity()));
    }

    private static String name(GpuIdentity gpu) {
        return "gpu-" + gpu.index();
    }

    private static Device partition(
            String gpu, String name, Map<String, AttributeValue> attributes, Map<String, Quantity> capacity) {
        var consumption = new CounterConsumption(gpu + "-counters", capacity, List.of());
        return new Device(name, attributes, capacity, List.of(consumption), List.of());
    }

    private Map<String, AttributeValue> attributes(GpuIdentity gpu) {
        var attributes = new LinkedHashMap<String, AttributeValue>();
        attributes.put("index", AttributeValue.of(gpu.index()));
        attributes.put("uuid", AttributeValue.of(gpu.uuid().toLowerCase(Locale.ROOT)));
        attributes.put("model", AttributeValue.of(model.equalParts().model()));
        attributes.put(
                "driverVersion", AttributeValue.version(model.equalParts().driverVersion()));
        return attributes;
    }

    private Map<String, Quantity> part() {
        var part = new LinkedHashMap<String, Quantity>();
        model.capacity()
                .forEach((name, all) -> part.put(
                        name, all.withValue(all.value().divide(BigDecimal.valueOf(parts), 0, RoundingMode.DOWN))));
        return part;
    }
}
