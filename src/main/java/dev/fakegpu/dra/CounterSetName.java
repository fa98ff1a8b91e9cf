package dev.fakegpu.dra;

import java.util.regex.Pattern;

/** What people call the hardware whose counters a set has. */
public final class CounterSetName {

    private static final Pattern ENDING = Pattern.compile("-counter(s|-set)$");

    private CounterSetName() {}

    /** Such as {@code gpu-0} for {@code gpu-0-counter-set}. */
    public static String ofHardware(String counterSet) {
        return ENDING.matcher(counterSet).replaceFirst("");
    }
}
