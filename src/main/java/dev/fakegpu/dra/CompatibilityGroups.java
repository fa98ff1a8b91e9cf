package dev.fakegpu.dra;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The compatibility groups of one device by counter set, as KEP-5963 records them when the device is allocated. A set without groups has an
 * entry with an empty list, to distinguish "no groups" from "not recorded".
 */
public record CompatibilityGroups(Map<String, List<String>> byCounterSet) {

    public CompatibilityGroups {
        byCounterSet = ArrayMap.copyOf(byCounterSet);
    }

    static CompatibilityGroups of(List<CounterConsumption> consumption) {
        var groups = new LinkedHashMap<String, List<String>>();
        consumption.forEach(entry -> groups.put(entry.counterSet(), entry.compatibilityGroups()));
        return new CompatibilityGroups(groups);
    }

    /** The groups on one set; empty if the device has no groups there or does not consume from the set. */
    public List<String> on(String counterSet) {
        return byCounterSet.getOrDefault(counterSet, List.of());
    }
}
