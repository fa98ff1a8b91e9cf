package dev.fakegpu.hardware.importer;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.field.SliceFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Compares the pools of an imported FakeGpu with the original pools, to check the import and its notes. */
public final class ImportDiff {

    /** The fields of a device that are compared entry by entry. */
    private static final Set<String> BY_ENTRY = Set.of("name", "attributes", "capacity", "consumesCounters", "taints");

    private final String pool;
    private final List<String> found = new ArrayList<>();

    private ImportDiff(String pool) {
        this.pool = pool;
    }

    /**
     * A sentence for each field of a slice, device or counter set that differs, with both values. Names of pools and nodes are ignored.
     */
    public static List<String> between(PoolContent expected, PoolContent published) {
        var differences = new ImportDiff(expected.pool().name());
        differences.compare(
                "counter set", CounterSet::name, CounterSet::counters, expected.counterSets(), published.counterSets());
        differences.compare("device", Device::name, ImportDiff::fields, expected.devices(), published.devices());
        differences.compare(
                "partitionTypeAttribute", expected.partitionTypeAttribute(), published.partitionTypeAttribute());
        differences.compare("skipNodeOperations", expected.skipNodeOperations(), published.skipNodeOperations());
        return List.copyOf(differences.found);
    }

    private static Map<String, Object> fields(Device device) {
        var fields = new LinkedHashMap<String, Object>();
        device.attributes().forEach((name, value) -> fields.put("attribute " + name, value));
        device.capacity().forEach((name, value) -> fields.put("capacity " + name, value));
        device.consumesCounters()
                .forEach(consumption -> fields.put("consumption from " + consumption.counterSet(), consumption));
        device.taints()
                .forEach(taint ->
                        fields.put("taint " + taint, Objects.requireNonNullElse(taint.timeAdded(), "of no time")));
        fields.put(
                "order of taints",
                device.taints().stream().map(DeviceTaint::key).toList());
        SliceFields.DEVICE.values(device).forEach((name, value) -> {
            if (!BY_ENTRY.contains(name)) {
                fields.put(name, Objects.requireNonNullElse(value, "those of the slice"));
            }
        });
        return fields;
    }

    private <T> void compare(
            String what,
            Function<T, String> name,
            Function<T, ? extends Map<String, ?>> fields,
            List<T> expected,
            List<T> published) {
        Map<String, T> byName = new LinkedHashMap<>();
        published.forEach(object -> byName.put(name.apply(object), object));
        for (T object : expected) {
            T counterpart = byName.remove(name.apply(object));
            if (counterpart == null) {
                add(what + " " + name.apply(object) + " is not published");
            } else {
                compareFields(what + " " + name.apply(object), fields.apply(object), fields.apply(counterpart));
            }
        }
        byName.keySet().forEach(extra -> add(what + " " + extra + " is published in addition"));
        if (!expected.stream()
                .map(name)
                .toList()
                .equals(published.stream().map(name).toList())) {
            add("the order of the " + what + "s differs");
        }
    }

    private void compareFields(String owner, Map<String, ?> expected, Map<String, ?> published) {
        var names = new LinkedHashSet<String>(expected.keySet());
        names.addAll(published.keySet());
        for (String name : names) {
            if (expected.containsKey(name) && published.containsKey(name)) {
                compare(owner + ": " + name, expected.get(name), published.get(name));
            } else {
                add(owner + ": " + name
                        + (expected.containsKey(name) ? " is not published" : " is published in addition"));
            }
        }
    }

    private void compare(String what, @Nullable Object expected, @Nullable Object published) {
        if (!Objects.equals(expected, published)) {
            boolean looksEqual = String.valueOf(expected).equals(String.valueOf(published));
            add(
                    looksEqual
                            ? "%s is the %s %s instead of the %s"
                                    .formatted(what, kind(published), published, kind(expected))
                            : "%s is %s instead of %s".formatted(what, published, expected));
        }
    }

    /** Shows the type of values that are written alike, such as the int 1 and the string 1. */
    private static String kind(@Nullable Object value) {
        if (value instanceof AttributeValue.ListValue list) {
            return "list of " + list.kind().name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof AttributeValue.IntValue) {
            return "int";
        }
        if (value instanceof AttributeValue.BoolValue) {
            return "bool";
        }
        if (value instanceof AttributeValue.VersionValue) {
            return "version";
        }
        return value instanceof AttributeValue.StringValue ? "string" : "value";
    }

    private void add(String what) {
        found.add("pool " + pool + ": " + what);
    }
}
