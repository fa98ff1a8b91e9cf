package dev.fakegpu.hardware.inventory;

import dev.fakegpu.api.AttributeSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.CustomSpec.CounterSet;
import dev.fakegpu.api.CustomSpec.Device;
import dev.fakegpu.api.CustomSpec.Repeat;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Custom hardware with its repeated counter sets and devices written out one by one.
 *
 * @param custom without {@code repeat}
 * @param counterSetEntries for each counter set, which entry of the spec it comes from
 * @param deviceEntries the same for devices
 */
record RepeatedHardware(CustomSpec custom, List<Integer> counterSetEntries, List<Integer> deviceEntries) {

    /** A name of an index in braces. */
    static final Pattern PLACEHOLDER = Pattern.compile("\\{([a-z][a-z0-9]*)}");

    /** @param custom which {@link RepeatCheck} accepts */
    static RepeatedHardware of(CustomSpec custom) {
        var sets = new ArrayList<CounterSet>();
        var setEntries = new ArrayList<Integer>();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            CounterSet set = custom.counterSets().get(i);
            forEachCopy(set.repeat(), indexes -> sets.add(indexes == NONE ? set : indexes.in("", set)));
            addUpTo(sets.size(), setEntries, i);
        }
        var devices = new ArrayList<Device>();
        var deviceEntries = new ArrayList<Integer>();
        for (int i = 0; i < custom.devices().size(); i++) {
            Device device = custom.devices().get(i);
            forEachCopy(device.repeat(), indexes -> devices.add(indexes == NONE ? device : indexes.in("", device)));
            addUpTo(devices.size(), deviceEntries, i);
        }
        return new RepeatedHardware(new CustomSpec(custom.mixins(), sets, devices), setEntries, deviceEntries);
    }

    private static void addUpTo(int size, List<Integer> entries, int entry) {
        while (entries.size() < size) {
            entries.add(entry);
        }
    }

    /** The field of a counter set, as the spec has it. */
    String counterSetField(int counterSet) {
        return counterSetEntryField(counterSetEntries.get(counterSet));
    }

    /** The field of a device, as the spec has it. */
    String deviceField(int device) {
        return deviceEntryField(deviceEntries.get(device));
    }

    static String counterSetEntryField(int entry) {
        return "spec.custom.counterSets[" + entry + "]";
    }

    static String deviceEntryField(int entry) {
        return "spec.custom.devices[" + entry + "]";
    }

    private static final Indexes NONE = new Indexes(Map.of());

    private static void forEachCopy(List<Repeat> repeat, Consumer<Indexes> copy) {
        if (repeat.isEmpty()) {
            copy.accept(NONE);
        } else {
            forEachCopy(repeat, new HashMap<>(), copy);
        }
    }

    private static void forEachCopy(List<Repeat> remaining, Map<String, Integer> chosen, Consumer<Indexes> copy) {
        if (remaining.isEmpty()) {
            copy.accept(new Indexes(chosen));
            return;
        }
        Repeat next = remaining.get(0);
        for (int index = 0; index < next.count(); index++) {
            chosen.put(next.name(), index);
            forEachCopy(remaining.subList(1, remaining.size()), chosen, copy);
        }
    }

    /** One combination of indexes. */
    private static final class Indexes extends Placeholders {

        private final Map<String, Integer> values;

        Indexes(Map<String, Integer> values) {
            this.values = values;
        }

        @Override
        String inText(String field, String written) {
            return written.indexOf('{') < 0
                    ? written
                    : PLACEHOLDER.matcher(written).replaceAll(match -> String.valueOf(values.get(match.group(1))));
        }

        @Override
        AttributeSpec inAttribute(String field, AttributeSpec written, String index) {
            return AttributeSpec.ofInt(Objects.requireNonNull(values.get(index)));
        }
    }
}
