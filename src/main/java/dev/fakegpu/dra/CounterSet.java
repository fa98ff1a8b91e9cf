package dev.fakegpu.dra;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The resources that the devices of one piece of hardware share: named counters from which the devices consume.
 *
 * @param name a DNS label, unique in the pool
 * @param counters the total of each counter
 */
public record CounterSet(String name, Map<String, Quantity> counters) {

    private static final Pattern ENDING = Pattern.compile("-counter(s|-set)$");

    public CounterSet {
        counters = ArrayMap.copyOf(counters);
    }

    /** The usual name of the hardware of a set, such as {@code gpu-0} for {@code gpu-0-counter-set}. */
    public static String hardware(String name) {
        return ENDING.matcher(name).replaceFirst("");
    }
}
