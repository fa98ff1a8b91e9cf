package dev.fakegpu.operator.prepare.smi;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A MIG profile of a model, as it is in the info file: {@code nvml.migProfile.NAME=} followed by its numbers in the order of {@code
 * NUMBERS}. Smaller profiles come first, as in nvidia-smi's list.
 */
record MigProfileLine(String name, Map<String, Integer> numbers) implements Comparable<MigProfileLine> {

    static final String PREFIX = "nvml.migProfile.";

    private static final List<String> NUMBERS = List.of("id", "total", "mib", "sm", "ce", "dec", "enc", "jpeg", "ofa");
    private static final double MIB_OF_A_GIB = 1024;

    static MigProfileLine parse(String key, String value) {
        List<Integer> values =
                Arrays.stream(value.split(",")).map(Integer::valueOf).toList();
        var numbers = new HashMap<String, Integer>();
        for (int i = 0; i < NUMBERS.size(); i++) {
            numbers.put(NUMBERS.get(i), values.get(i));
        }
        return new MigProfileLine(key.substring(PREFIX.length()), Map.copyOf(numbers));
    }

    private int number(String name) {
        return numbers.getOrDefault(name, 0);
    }

    /** The values of the profile; in a container with MIG devices, no further instance is free. */
    Map<String, String> values(boolean isInUse) {
        var values = new HashMap<String, String>();
        numbers.forEach((name, number) -> values.put("p." + name, number.toString()));
        values.put("p.name", name);
        values.put("p.free", Integer.toString(isInUse ? 0 : number("total")));
        values.put("p.gib", String.format(Locale.ROOT, "%.2f", number("mib") / MIB_OF_A_GIB));
        return values;
    }

    @Override
    public int compareTo(MigProfileLine other) {
        return Comparator.comparingInt((MigProfileLine line) -> line.number("mib"))
                .thenComparingInt(line -> line.number("sm"))
                .thenComparing(MigProfileLine::name)
                .compare(this, other);
    }
}
