package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.MixinsSpec;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.dra.mixin.Mixins;
import dev.fakegpu.hardware.inventory.field.AttributeReader;
import dev.fakegpu.hardware.inventory.field.BindingReader;
import dev.fakegpu.hardware.inventory.field.CapacityReader;
import dev.fakegpu.hardware.inventory.field.NodeSelectorReader;
import dev.fakegpu.hardware.inventory.field.QuantityReader;
import dev.fakegpu.hardware.inventory.field.TaintReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts custom hardware that {@link CustomCheck} accepted. */
public final class CustomInventory {
    private CustomInventory() {}

    static Inventory of(CustomSpec custom) {
        HardwareWithMixins mixed = mixed(custom);
        return new Inventory(Math.max(1, mixed.counterSets().size()), mixed.flatCounterSets(), mixed.flatDevices());
    }

    /**
     * The hardware with its repeated entries expanded and its mixins not yet resolved.
     *
     * @param written must have been accepted by {@link InventoryPlanner#check}
     */
    public static HardwareWithMixins mixed(CustomSpec written) {
        return mixed(written, Map.of());
    }

    /** @param given values that all entries can use, by name */
    static HardwareWithMixins mixed(CustomSpec written, Map<String, String> given) {
        CustomSpec custom = RepeatedHardware.of(written, given).custom();
        return new HardwareWithMixins(
                mixins(custom.mixinsOrNone()),
                custom.counterSets().stream()
                        .map(set -> new Mixins.CounterSetWithMixins(
                                new CounterSet(set.name(), quantities(set.counters())), set.includes()))
                        .toList(),
                custom.devices().stream().map(CustomInventory::device).toList());
    }

    private static Mixins mixins(MixinsSpec mixins) {
        var devices = new LinkedHashMap<String, Mixins.DeviceMixin>();
        mixins.device()
                .forEach(mixin -> devices.put(
                        mixin.name(),
                        new Mixins.DeviceMixin(
                                AttributeReader.read(mixin.attributes()),
                                CapacityReader.read(mixin.capacity(), mixin.requestPolicies()))));
        return new Mixins(devices, counters(mixins.counterConsumption()), counters(mixins.counterSet()));
    }

    private static Map<String, Map<String, Quantity>> counters(List<MixinsSpec.Counters> mixins) {
        var counters = new LinkedHashMap<String, Map<String, Quantity>>();
        mixins.forEach(mixin -> counters.put(mixin.name(), quantities(mixin.counters())));
        return counters;
    }

    /** @throws IllegalArgumentException if a quantity that {@link CustomCheck} does not check is malformed */
    static Mixins.DeviceWithMixins device(CustomSpec.Device device) {
        var own = new Device(
                device.name(),
                AttributeReader.read(device.attributes()),
                CapacityReader.read(device.capacity(), device.requestPolicies()),
                device.consumesCounters().stream()
                        .map(consumption -> new CounterConsumption(
                                consumption.counterSet(),
                                quantities(consumption.counters()),
                                consumption.compatibilityGroups()))
                        .toList(),
                device.taints().stream()
                        .map(taint -> TaintReader.read(taint.key(), taint.value(), taint.effect(), taint.timeAdded()))
                        .toList(),
                Boolean.TRUE.equals(device.allowMultipleAllocations()),
                nodes(device),
                device.binding() == null ? Device.Binding.NONE : BindingReader.read(device.binding()),
                nodeAllocatable(device.nodeAllocatableResources()));
        return new Mixins.DeviceWithMixins(
                own,
                device.includes(),
                device.consumesCounters().stream()
                        .map(CustomSpec.CounterConsumption::includes)
                        .toList());
    }

    private static Map<String, Device.NodeAllocatable> nodeAllocatable(
            Map<String, CustomSpec.NodeAllocatableResource> written) {
        var resources = new LinkedHashMap<String, Device.NodeAllocatable>();
        written.forEach((name, resource) -> {
            var mapping = resource.mapping();
            var overhead = resource.overhead();
            resources.put(
                    name,
                    new Device.NodeAllocatable(
                            mapping == null
                                    ? null
                                    : new Device.NodeAllocatable.Mapping(
                                            mapping.capacityKey(),
                                            optional(mapping.capacityMultiplier()),
                                            optional(mapping.deviceMultiplier())),
                            overhead == null
                                    ? null
                                    : new Device.NodeAllocatable.Overhead(
                                            optional(overhead.perPod()), optional(overhead.perContainer()))));
        });
        return resources;
    }

    private static @Nullable Quantity optional(io.fabric8.kubernetes.api.model.@Nullable Quantity quantity) {
        return quantity == null ? null : QuantityReader.of(quantity);
    }

    private static @Nullable NodeSelection nodes(CustomSpec.Device device) {
        if (device.nodeName() != null) {
            return new NodeSelection.NodeName(device.nodeName());
        }
        if (device.nodeSelector() != null) {
            return new NodeSelection.Matching(NodeSelectorReader.read(device.nodeSelector()));
        }
        return Boolean.TRUE.equals(device.allNodes()) ? new NodeSelection.AllNodes() : null;
    }

    private static Map<String, Quantity> quantities(Map<String, io.fabric8.kubernetes.api.model.Quantity> written) {
        var quantities = new LinkedHashMap<String, Quantity>();
        written.forEach((name, quantity) -> quantities.put(name, QuantityReader.of(quantity)));
        return quantities;
    }
}
