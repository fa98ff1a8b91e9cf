package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.allocate.pool.GroupState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether two devices of a pool can be allocated at the same time if nothing else is. */
final class Pairs {

    private final Map<String, CounterSet> counterSets = new LinkedHashMap<>();

    Pairs(List<CounterSet> counterSets) {
        counterSets.forEach(set -> this.counterSets.put(set.name(), set));
    }

    /** Why two devices cannot be allocated together; they can if neither reason applies. */
    record Relation(boolean groupsRefuse, Optional<String> shortCounter) {
        boolean fits() {
            return !groupsRefuse && shortCounter.isEmpty();
        }
    }

    Relation of(Device one, Device other) {
        return new Relation(groupsRefuse(one, other), shortCounter(one, other));
    }

    private static boolean groupsRefuse(Device one, Device other) {
        return one.consumesCounters().stream()
                .anyMatch(entry -> other.consumesCounters().stream()
                        .filter(theirs -> theirs.counterSet().equals(entry.counterSet()))
                        .anyMatch(theirs -> !GroupState.FREE
                                .place(entry.compatibilityGroups())
                                .admits(theirs.compatibilityGroups())));
    }

    private Optional<String> shortCounter(Device one, Device other) {
        var both = new ArrayList<>(one.consumesCounters());
        both.addAll(other.consumesCounters());
        return shortOf(both);
    }

    private Optional<String> shortOf(List<CounterConsumption> entries) {
        for (CounterSet set : counterSets.values()) {
            for (Map.Entry<String, Quantity> counter : set.counters().entrySet()) {
                Quantity taken = taken(entries, set.name(), counter.getKey());
                if (taken.compareTo(counter.getValue()) > 0) {
                    return Optional.of(counter.getKey());
                }
            }
        }
        return Optional.empty();
    }

    private static Quantity taken(List<CounterConsumption> entries, String set, String counter) {
        return entries.stream()
                .filter(entry -> entry.counterSet().equals(set))
                .map(entry -> entry.counters().getOrDefault(counter, Quantity.ZERO))
                .reduce(Quantity.ZERO, Quantity::plus);
    }
}
