package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;

/**
 * What a device consumes from one counter set while it is allocated.
 *
 * @param counterSet the name of a counter set of the same pool
 * @param counters the amount of each counter
 * @param compatibilityGroups the groups in which the device can share this set (KEP-5963); empty means "no groups", which
 *     is compatible only with other devices without groups
 */
public record CounterConsumption(String counterSet, Map<String, Quantity> counters, List<String> compatibilityGroups) {

    public CounterConsumption {
        counters = ArrayMap.copyOf(counters);
        compatibilityGroups = List.copyOf(compatibilityGroups);
    }

    public CounterConsumption withoutGroups() {
        return withGroups(List.of());
    }

    public CounterConsumption withGroups(List<String> groups) {
        return new CounterConsumption(counterSet, counters, groups);
    }
}
