package dev.fakegpu.inventory;

import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Custom hardware, as it was written; {@link CustomCheck} has seen it. */
final class CustomInventory {
    private CustomInventory() {}

    static Inventory of(CustomSpec custom) {
        return new Inventory(
                Math.max(1, custom.counterSets().size()),
                custom.counterSets().stream()
                        .map(set -> new CounterSet(set.name(), quantities(set.counters())))
                        .toList(),
                custom.devices().stream().map(CustomInventory::device).toList());
    }

    private static Device device(CustomSpec.Device device) {
        return new Device(
                device.name(),
                mapValues(device.attributes(), CustomInventory::attribute),
                quantities(device.capacity()),
                device.consumesCounters().stream()
                        .map(CustomInventory::consumption)
                        .toList(),
                List.of());
    }

    private static CounterConsumption consumption(CustomSpec.CounterConsumption consumption) {
        return new CounterConsumption(
                consumption.counterSet(), quantities(consumption.counters()), consumption.compatibilityGroups());
    }

    private static AttributeValue attribute(CustomSpec.Attribute attribute) {
        if (attribute.stringValue() != null) {
            return AttributeValue.of(attribute.stringValue());
        }
        if (attribute.intValue() != null) {
            return AttributeValue.of(attribute.intValue());
        }
        if (attribute.boolValue() != null) {
            return AttributeValue.of(attribute.boolValue());
        }
        return AttributeValue.version(String.valueOf(attribute.versionValue()));
    }

    private static Map<String, Quantity> quantities(Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities) {
        return mapValues(quantities, CustomQuantity::of);
    }

    private static <A, B> Map<String, B> mapValues(Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        map.forEach((key, value) -> result.put(key, function.apply(value)));
        return result;
    }
}
