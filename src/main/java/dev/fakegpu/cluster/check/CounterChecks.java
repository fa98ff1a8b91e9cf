package dev.fakegpu.cluster.check;

import dev.fakegpu.dra.Quantity;
import java.util.List;
import java.util.Map;

/** Rules about counters that the API server accepts although they make no sense (KEP-4815). */
final class CounterChecks {

    private static final Rule NEGATIVE = Rule.warning(
            Scope.SLICE,
            "negative-counter",
            "The API server accepts it; a negative counter makes every consumer of the pool unallocatable, and negative consumption"
                    + " creates what the hardware has not.",
            "Publish what there is.",
            Sources.validation("validateDeviceCounter, which accepts any quantity"));

    static final List<Rule> RULES = List.of(NEGATIVE);

    private CounterChecks() {}

    static void check(CheckedSlice slice, Violations findings) {
        var sets = slice.slice().counterSets();
        for (int i = 0; i < sets.size(); i++) {
            counters(sets.get(i).counters(), slice.at("spec.sharedCounters[" + i + "]"), findings);
        }
    }

    static void check(CheckedDevice device, Violations findings) {
        var entries = device.device().consumesCounters();
        for (int i = 0; i < entries.size(); i++) {
            counters(entries.get(i).counters(), device.at("consumesCounters[" + i + "]"), findings);
        }
    }

    private static void counters(Map<String, Quantity> counters, Where where, Violations findings) {
        counters.forEach((name, amount) -> {
            if (amount.signum() < 0) {
                findings.add(NEGATIVE, where, "counter %s has %s".formatted(name, amount));
            }
        });
    }
}
