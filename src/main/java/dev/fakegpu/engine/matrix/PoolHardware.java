package dev.fakegpu.engine.matrix;

import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.headroom.Count;
import dev.fakegpu.engine.headroom.Packing;
import dev.fakegpu.engine.headroom.PoolRemainder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The counter sets and devices of a pool.
 *
 * @param counterSets the counter sets in the order of their slices
 * @param devices the devices in the order in which an allocator tries them
 * @param missingSlices the number of slices of the newest generation that are missing; negative if there are too many
 */
record PoolHardware(PoolId pool, List<CounterSet> counterSets, List<Device> devices, long missingSlices) {

    PoolHardware {
        counterSets = List.copyOf(counterSets);
        devices = List.copyOf(devices);
    }

    /** The pools of some slices in the order in which an allocator tries them. Only the newest generation counts. */
    static List<PoolHardware> of(List<Slice> slices) {
        var byPool = new TreeMap<PoolId, List<Slice>>();
        slices.forEach(slice -> byPool.computeIfAbsent(slice.pool(), ignored -> new ArrayList<>())
                .add(slice));
        return byPool.values().stream().map(PoolHardware::ofPool).toList();
    }

    private static PoolHardware ofPool(List<Slice> slices) {
        long newest = slices.stream().mapToLong(Slice::generation).max().orElse(0);
        List<Slice> current = slices.stream()
                .filter(slice -> slice.generation() == newest)
                .sorted(Comparator.comparing(Slice::name))
                .toList();
        return new PoolHardware(
                current.get(0).pool(),
                current.stream().flatMap(slice -> slice.counterSets().stream()).toList(),
                current.stream().flatMap(slice -> slice.devices().stream()).toList(),
                current.get(0).sliceCount() - current.size());
    }

    /** The pool without counter sets that share a name, since it is not clear which of them a device consumes from. */
    PoolHardware withUniqueCounterSets() {
        Map<String, Long> names =
                counterSets.stream().collect(Collectors.groupingBy(CounterSet::name, Collectors.counting()));
        return new PoolHardware(
                pool,
                counterSets.stream()
                        .filter(set -> names.getOrDefault(set.name(), 0L) == 1)
                        .toList(),
                devices,
                missingSlices);
    }

    /** The number of these devices that can be allocated at the same time if nothing else is. Only their groups and counters count. */
    Count atOnce(List<Device> some) {
        return Packing.of(
                some.stream()
                        .map(device -> new Packing.Item(device.consumesCounters(), 1))
                        .toList(),
                PoolRemainder.of(counterSets, Stream.empty(), Stream.empty()),
                GroupsGate.ON);
    }

    /** The devices that consume counters of a counter set. */
    List<Device> consumersOf(String counterSet) {
        return devices.stream()
                .filter(device -> device.consumesCounters().stream()
                        .anyMatch(entry -> entry.counterSet().equals(counterSet)))
                .toList();
    }

    List<Device> withoutCounters() {
        return devices.stream()
                .filter(device -> device.consumesCounters().isEmpty())
                .toList();
    }

    /** What a device consumes from one of its counter sets. */
    static CounterConsumption consumption(Device device, String counterSet) {
        return device.consumesCounters().stream()
                .filter(entry -> entry.counterSet().equals(counterSet))
                .findFirst()
                .orElseThrow();
    }
}
