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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Custom hardware with its repeated counter sets and devices expanded.
 *
 * @param custom the hardware without {@code repeat}
 * @param counterSetEntries for each counter set, the index of its entry in the spec
 * @param deviceEntries for each device, the index of its entry in the spec
 */
record RepeatedHardware(CustomSpec custom, List<Integer> counterSetEntries, List<Integer> deviceEntries) {

    /**
     * Expands the hardware.
     *
     * @param custom must have been accepted by {@link RepeatCheck}
     * @throws NoNumberException if a calculation has no result for some indexes
     */
    static RepeatedHardware of(CustomSpec custom) {
        return of(custom, Map.of());
    }

    /**
     * Expands the hardware with additional values.
     *
     * @param given values by name, which all entries can use
     * @throws NoNumberException if a calculation has no result for some values
     */
    static RepeatedHardware of(CustomSpec custom, Map<String, String> given) {
        var sets = new ArrayList<CounterSet>();
        var setEntries = new ArrayList<Integer>();
        for (int i = 0; i < custom.counterSets().size(); i++) {
            CounterSet set = custom.counterSets().get(i);
            String field = counterSetEntryField(i);
            forEachCopy(
                    set.repeat(),
                    given,
                    values -> sets.add(values.isEmpty() ? set : new Indexes(values).in(field, set)));
            addUpTo(sets.size(), setEntries, i);
        }
        var devices = new ArrayList<Device>();
        var deviceEntries = new ArrayList<Integer>();
        for (int i = 0; i < custom.devices().size(); i++) {
            Device device = custom.devices().get(i);
            String field = deviceEntryField(i);
            forEachCopy(
                    device.repeat(),
                    given,
                    values -> devices.add(values.isEmpty() ? device : new Indexes(values).in(field, device)));
            addUpTo(devices.size(), deviceEntries, i);
        }
        return new RepeatedHardware(new CustomSpec(custom.mixins(), sets, devices), setEntries, deviceEntries);
    }

    private static void addUpTo(int size, List<Integer> entries, int entry) {
        while (entries.size() < size) {
            entries.add(entry);
        }
    }

    /** The path of a counter set in the spec. */
    String counterSetField(int counterSet) {
        return counterSetEntryField(counterSetEntries.get(counterSet));
    }

    /** The path of a device in the spec. */
    String deviceField(int device) {
        return deviceEntryField(deviceEntries.get(device));
    }

    static String counterSetEntryField(int entry) {
        return "spec.custom.counterSets[" + entry + "]";
    }

    static String deviceEntryField(int entry) {
        return "spec.custom.devices[" + entry + "]";
    }

    private static void forEachCopy(
            List<Repeat> remaining, Map<String, String> values, Consumer<Map<String, String>> copy) {
        if (remaining.isEmpty()) {
            copy.accept(values);
            return;
        }
        Repeat next = remaining.get(0);
        var chosen = new HashMap<>(values);
        for (int index = 0; index < next.count(); index++) {
            chosen.put(next.name(), String.valueOf(index));
            forEachCopy(remaining.subList(1, remaining.size()), chosen, copy);
        }
    }

    /** Thrown if a calculation has no result for some values, for example if it divides by an index. */
    static final class NoNumberException extends RuntimeException {

        static final String ALLOWED = "a calculation that always has a number";

        private final String field;
        private final String written;

        private NoNumberException(String field, String written, IllegalArgumentException why, String when) {
            super(why.getMessage() + when, why);
            this.field = field;
            this.written = written;
        }

        String field() {
            return field;
        }

        String written() {
            return written;
        }

        String problem() {
            return String.valueOf(getMessage());
        }
    }

    /** One combination of indexes. */
    private static final class Indexes extends Placeholders {

        private final Map<String, String> values;

        Indexes(Map<String, String> values) {
            this.values = values;
        }

        @Override
        String inText(String field, String written) {
            return of(field, written, () -> IndexExpression.inText(written, values));
        }

        @Override
        AttributeSpec inAttribute(String field, AttributeSpec written, String index) {
            return AttributeSpec.ofInt(of(field, index, () -> IndexExpression.number(index, values)));
        }

        private <T> T of(String field, String written, Supplier<T> result) {
            try {
                return result.get();
            } catch (IllegalArgumentException e) {
                throw new NoNumberException(field, written, e, when(written));
            }
        }

        /** A text such as {@code if die is 0}. */
        private String when(String written) {
            String used = IndexExpression.names(written).stream()
                    .distinct()
                    .filter(values::containsKey)
                    .map(name -> name + " is " + values.get(name))
                    .collect(Collectors.joining(" and "));
            return used.isEmpty() ? "" : " if " + used;
        }
    }
}
