package dev.fakegpu.hardware.slices;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Random slices whose devices and counter sets have common entries: few or many of them, for all devices or for kinds of devices. */
final class RandomSlice {

    private final Random random;

    /** The number of different values of an entry. */
    private final int values;

    /** How many of 15 entries of an object differ from others of its kind. */
    private final int different;

    private final List<Map<String, AttributeValue>> attributesOfKinds;
    private final List<Map<String, DeviceCapacity>> capacitiesOfKinds;
    private final List<Map<String, Quantity>> countersOfKinds;

    private RandomSlice(long seed) {
        random = new Random(seed);
        values = 1 + random.nextInt(6);
        different = random.nextInt(4);
        attributesOfKinds = kinds("a", this::attribute);
        capacitiesOfKinds = kinds("c", this::capacity);
        countersOfKinds = kinds("counter-", this::quantity);
    }

    static Slice of(long seed) {
        var slice = new RandomSlice(seed);
        return slice.next(slice.random.nextInt(3));
    }

    /** @param content 0 for only counter sets, 1 for only devices; the API allows nothing else */
    private Slice next(int content) {
        return new Slice(
                "slice",
                new PoolId("gpu.example.com", "pool"),
                1,
                1,
                new NodeSelection.NodeName("node-1"),
                content == 1 ? List.of() : some(9, this::counterSet),
                content == 0 ? List.of() : some(random.nextInt(4) == 0 ? 128 : 20, this::device));
    }

    private CounterSet counterSet() {
        return new CounterSet(name(), entries(countersOfKinds, this::quantity));
    }

    private Device device() {
        return new Device(
                name(),
                entries(attributesOfKinds, this::attribute),
                entries(capacitiesOfKinds, this::capacity),
                some(
                        3,
                        () -> new CounterConsumption(
                                "set-" + random.nextInt(3),
                                entries(countersOfKinds, this::quantity),
                                some(3, () -> "group-" + random.nextInt(2)))),
                random.nextInt(9) == 0 ? List.of(new DeviceTaint("broken", "", "NoSchedule", null)) : List.of(),
                random.nextInt(5) == 0,
                random.nextInt(9) == 0 ? new NodeSelection.NodeName("node-2") : null,
                Device.Binding.NONE);
    }

    private AttributeValue attribute() {
        int value = random.nextInt(values);
        return switch (random.nextInt(6)) {
            case 0 -> AttributeValue.of(value % 2 == 0);
            case 1 -> AttributeValue.of("text-" + "x".repeat(value * 7));
            case 2 -> AttributeValue.version("1." + value + ".0");
            case 3 -> AttributeValue.strings(List.of("a", "b" + value));
            case 4 -> AttributeValue.of("");
            default -> AttributeValue.of((long) value);
        };
    }

    private DeviceCapacity capacity() {
        DeviceCapacity capacity = DeviceCapacity.of(quantity());
        return random.nextInt(4) > 0
                ? capacity
                : new DeviceCapacity(
                        capacity.value(),
                        new DeviceCapacity.RequestPolicy(
                                quantity(), List.of(quantity(), Quantity.parse("100Gi")), null));
    }

    private Quantity quantity() {
        return Quantity.parse(random.nextInt(values) + (random.nextBoolean() ? "Gi" : "500m"));
    }

    /** Kinds of objects, each with the common values of some names. */
    private <V> List<Map<String, V>> kinds(String prefix, Supplier<V> value) {
        return IntStream.range(0, 1 + random.nextInt(4))
                .mapToObj(kind -> {
                    Map<String, V> entries = new LinkedHashMap<>();
                    for (int i = random.nextInt(17); i > 0; i--) {
                        String domain = random.nextInt(5) == 0 ? "example.com/" : "";
                        entries.put(domain + prefix + random.nextInt(20), value.get());
                    }
                    return entries;
                })
                .toList();
    }

    /** The entries of up to two kinds, of which some are removed, and some get other values. */
    private <V> Map<String, V> entries(List<Map<String, V>> kinds, Supplier<V> value) {
        Map<String, V> entries = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            entries.putAll(kinds.get(random.nextInt(kinds.size())));
        }
        entries.keySet().removeIf(name -> random.nextInt(15) < different);
        entries.replaceAll((name, common) -> random.nextInt(15) < different ? value.get() : common);
        return entries;
    }

    /** Names are never compared, so they need not be unique. */
    private String name() {
        return "n" + random.nextInt(1_000);
    }

    private <V> List<V> some(int below, Supplier<V> each) {
        return IntStream.range(0, random.nextInt(below))
                .mapToObj(i -> each.get())
                .toList();
    }
}
