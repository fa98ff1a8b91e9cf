package dev.fakegpu.engine.allocate.pool;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.engine.allocate.lookahead.CounterComponents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The common data of pools with the same hardware: the names of the devices, and what they consume from which counters. Nodes of the same
 * kind have equal pools, so data derived from a template is computed once for all of them. Immutable, apart from data that is computed when
 * it is first needed. Thread-safe.
 */
final class PoolTemplate {

    private final Map<String, CounterSet> counterSets;
    private final List<String> names;
    private final List<List<CounterConsumption>> consumption;
    private final int hash;
    private volatile @Nullable Optional<String> unknownCounter;
    private volatile @Nullable CounterTable counters;
    private volatile @Nullable CounterComponents components;
    private volatile @Nullable Map<String, Integer> positions;

    PoolTemplate(Map<String, CounterSet> counterSets, List<PoolDevice> devices) {
        this.counterSets = counterSets;
        names = devices.stream().map(device -> device.device().name()).toList();
        consumption = devices.stream()
                .map(device -> device.device().consumesCounters())
                .toList();
        hash = names.hashCode();
    }

    /** The first counter or counter set that a device consumes and that does not exist, as an error message; empty if there is none. */
    Optional<String> unknownCounter() {
        Optional<String> known = unknownCounter;
        if (known == null) {
            known = consumption.stream()
                    .flatMap(device -> unknownCounter(device).stream())
                    .findFirst();
            unknownCounter = known;
        }
        return known;
    }

    /** The same check for a device of another node. */
    Optional<String> unknownCounter(List<CounterConsumption> ofDevice) {
        for (CounterConsumption entry : ofDevice) {
            CounterSet set = counterSets.get(entry.counterSet());
            if (set == null) {
                return Optional.of("counter set " + entry.counterSet() + " not found");
            }
            for (String counter : entry.counters().keySet()) {
                if (!set.counters().containsKey(counter)) {
                    return Optional.of("counter " + counter + " not found in counter set " + entry.counterSet());
                }
            }
        }
        return Optional.empty();
    }

    CounterTable counters() {
        CounterTable known = counters;
        if (known == null) {
            known = CounterTable.of(counterSets, consumption);
            counters = known;
        }
        return known;
    }

    /** The counter components. Requires that the counters are {@link CounterTable#isSimple simple}. */
    CounterComponents components() {
        CounterComponents known = components;
        if (known == null) {
            known = new CounterComponents(
                    counters().byDevice(consumption), counters().sets());
            components = known;
        }
        return known;
    }

    boolean hasCounterSets(Map<String, CounterSet> others) {
        return counterSets.equals(others);
    }

    /** The position of a device among the pool's devices, by name; null if there is none. */
    @Nullable Integer position(String device) {
        Map<String, Integer> known = positions;
        if (known == null) {
            known = new HashMap<>();
            for (int i = 0; i < names.size(); i++) {
                known.putIfAbsent(names.get(i), i);
            }
            positions = known;
        }
        return known.get(device);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PoolTemplate that
                && hash == that.hash
                && names.equals(that.names)
                && consumption.equals(that.consumption)
                && counterSets.equals(that.counterSets);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
