package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import java.util.ArrayList;
import java.util.List;

/** A counter set and the devices that consume its counters. */
record SharedSet(PoolHardware hardware, CounterSet set, List<Kind> kinds) {

    static SharedSet of(PoolHardware hardware, CounterSet set) {
        return new SharedSet(hardware, set, Kind.of(hardware.consumersOf(set.name()), set.name()));
    }

    List<Device> devices() {
        return kinds.stream().flatMap(kind -> kind.devices().stream()).toList();
    }

    CounterConsumption consumption(Device device) {
        return PoolHardware.consumption(device, set.name());
    }

    List<String> groups(Device device) {
        return consumption(device).compatibilityGroups();
    }

    /** A key that is equal for counter sets of equal hardware, of which only one needs to be examined. */
    Object likeness() {
        var others = new ArrayList<String>();
        return List.of(
                hardware.pool().driver(),
                set.counters(),
                kinds.stream()
                        .map(kind -> List.of(
                                Kind.unnumbered(kind.name()),
                                kind.isShared(),
                                kind.devices().stream()
                                        .map(device -> device.consumesCounters().stream()
                                                .map(entry -> likeness(entry, others))
                                                .toList())
                                        .toList()))
                        .toList());
    }

    /** Identifies other sets from which its devices consume, by the order in which they occur. */
    private Object likeness(CounterConsumption entry, List<String> others) {
        if (!entry.counterSet().equals(set.name()) && !others.contains(entry.counterSet())) {
            others.add(entry.counterSet());
        }
        Object amounts = entry.counterSet().equals(set.name())
                ? List.of()
                : hardware.counterSets().stream()
                        .filter(other -> other.name().equals(entry.counterSet()))
                        .map(CounterSet::counters)
                        .toList();
        return List.of(others.indexOf(entry.counterSet()), amounts, entry.counters(), entry.compatibilityGroups());
    }

    @Override
    public String toString() {
        return "counter set " + set.name() + " of pool " + hardware.pool().name();
    }
}
