package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceFields;
import dev.fakegpu.dra.mixin.HardwareWithMixins;
import dev.fakegpu.dra.mixin.MixedSlice;
import dev.fakegpu.dra.mixin.Mixins;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes slices with the mixins of KEP-5234: the common entries of devices, counter sets or consumptions are written once. */
public final class MixinCompactor {

    private static final String ATTRIBUTE = "a/";
    private static final String CAPACITY = "c/";

    private MixinCompactor() {}

    /** The slice with mixins wherever they save bytes of JSON. Its {@link MixedSlice#flat} equals the original. */
    public static MixedSlice compact(Slice slice) {
        var devices = CommonEntries.of(
                slice.devices().stream().map(MixinCompactor::entries).toList(), MixinCompactor::bytes);
        var consumptions = CommonEntries.of(
                slice.devices().stream()
                        .flatMap(device -> device.consumesCounters().stream())
                        .map(CounterConsumption::counters)
                        .toList(),
                MixinCompactor::bytes);
        var counterSets = CommonEntries.of(
                slice.counterSets().stream().map(CounterSet::counters).toList(), MixinCompactor::bytes);
        Map<String, Mixins.DeviceMixin> ofDevices = new LinkedHashMap<>();
        devices.mixins()
                .forEach((name, entries) ->
                        ofDevices.put(name, new Mixins.DeviceMixin(attributes(entries), capacity(entries))));
        var hardware = new HardwareWithMixins(
                new Mixins(ofDevices, consumptions.mixins(), counterSets.mixins()),
                counterSets(slice.counterSets(), counterSets),
                devices(slice.devices(), devices, consumptions));
        return MixedSlice.of(slice, hardware);
    }

    private static List<Mixins.CounterSetWithMixins> counterSets(
            List<CounterSet> sets, CommonEntries<Quantity> common) {
        var mixed = new ArrayList<Mixins.CounterSetWithMixins>();
        for (int i = 0; i < sets.size(); i++) {
            mixed.add(new Mixins.CounterSetWithMixins(
                    new CounterSet(sets.get(i).name(), common.own().get(i)),
                    common.includes().get(i)));
        }
        return mixed;
    }

    private static List<Mixins.DeviceWithMixins> devices(
            List<Device> devices, CommonEntries<Object> common, CommonEntries<Quantity> consumptions) {
        var mixed = new ArrayList<Mixins.DeviceWithMixins>();
        int next = 0;
        for (int i = 0; i < devices.size(); i++) {
            var consumed = new ArrayList<CounterConsumption>();
            var includes = new ArrayList<List<String>>();
            for (CounterConsumption consumption : devices.get(i).consumesCounters()) {
                consumed.add(new CounterConsumption(
                        consumption.counterSet(), consumptions.own().get(next), consumption.compatibilityGroups()));
                includes.add(consumptions.includes().get(next));
                next++;
            }
            Map<String, Object> own = common.own().get(i);
            mixed.add(new Mixins.DeviceWithMixins(
                    devices.get(i)
                            .withAttributes(attributes(own))
                            .withCapacity(capacity(own))
                            .withConsumesCounters(consumed),
                    common.includes().get(i),
                    includes));
        }
        return mixed;
    }

    /** The size of an entry in JSON. */
    private static int bytes(String name, Object value) {
        if (value instanceof AttributeValue attribute) {
            return name.length() + SliceFields.ATTRIBUTE.bytes(attribute);
        }
        return name.length()
                + (value instanceof DeviceCapacity capacity
                        ? SliceFields.CAPACITY.bytes(capacity)
                        : SliceFields.COUNTER.bytes((Quantity) value));
    }

    /** Puts attributes and capacities, which are separate maps, into one map under distinct names. */
    private static Map<String, Object> entries(Device device) {
        Map<String, Object> entries = new LinkedHashMap<>();
        device.attributes().forEach((name, value) -> entries.put(ATTRIBUTE + name, value));
        device.capacity().forEach((name, value) -> entries.put(CAPACITY + name, value));
        return entries;
    }

    private static Map<String, AttributeValue> attributes(Map<String, Object> entries) {
        Map<String, AttributeValue> attributes = new LinkedHashMap<>();
        entries.forEach((name, value) -> {
            if (value instanceof AttributeValue attribute) {
                attributes.put(name.substring(ATTRIBUTE.length()), attribute);
            }
        });
        return attributes;
    }

    private static Map<String, DeviceCapacity> capacity(Map<String, Object> entries) {
        Map<String, DeviceCapacity> capacity = new LinkedHashMap<>();
        entries.forEach((name, value) -> {
            if (value instanceof DeviceCapacity each) {
                capacity.put(name.substring(CAPACITY.length()), each);
            }
        });
        return capacity;
    }
}
