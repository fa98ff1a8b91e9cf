package dev.fakegpu.allocate;

import dev.fakegpu.dra.CounterConsumption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Devices of a pool that depend on each other through counter sets, and on no other device: usually one GPU and its partitions. A
 * device that can be shared is a component of its own if it consumes no counters.
 */
final class CounterComponent {

    private static final int[] NONE = {};

    private final int[] devices;
    private final int[] columns;
    private final int[] sets;
    private final ComponentProfile shape;

    /** A device that consumes no counters. */
    CounterComponent(int device) {
        devices = new int[] {device};
        columns = NONE;
        sets = NONE;
        shape = ComponentProfile.ALONE;
    }

    /**
     * @param devices positions in the pool
     * @param shapes those that are known; a new one is added
     */
    CounterComponent(
            Pool.Usable pool, List<Integer> devices, Map<List<ComponentProfile.Member>, ComponentProfile> shapes) {
        CounterTable table = pool.counters();
        columns = devices.stream()
                .flatMapToInt(device -> Arrays.stream(table.demand(device).columns()))
                .distinct()
                .sorted()
                .toArray();
        sets = devices.stream()
                .flatMapToInt(device -> Arrays.stream(table.demand(device).sets()))
                .distinct()
                .sorted()
                .toArray();
        this.devices = inOrderOfElimination(table, devices);
        List<ComponentProfile.Member> members = Arrays.stream(this.devices)
                .mapToObj(device -> member(pool, device))
                .toList();
        shape = shapes.computeIfAbsent(members, ignored -> new ComponentProfile(members, columns.length, sets.length));
    }

    /**
     * Devices that compete for the same scarce counter stand together: a counter that no later device uses need not be remembered,
     * and the fewer have to be, the fewer states there are. The scarcest is the one with the fewest users.
     */
    private int[] inOrderOfElimination(CounterTable table, List<Integer> unordered) {
        Map<Integer, Integer> users = new HashMap<>();
        unordered.forEach(device ->
                Arrays.stream(table.demand(device).columns()).forEach(column -> users.merge(column, 1, Integer::sum)));
        Comparator<Integer> byScarcestCounter = Comparator.comparingInt(
                device -> Arrays.stream(table.demand(device).columns())
                        .boxed()
                        .filter(column -> users.getOrDefault(column, 0) < unordered.size())
                        .mapToInt(column -> column)
                        .min()
                        .orElse(Integer.MAX_VALUE));
        return unordered.stream()
                .sorted(byScarcestCounter)
                .mapToInt(device -> device)
                .toArray();
    }

    private ComponentProfile.Member member(Pool.Usable usable, int device) {
        CounterTable.CounterUse demand = usable.counters().demand(device);
        return new ComponentProfile.Member(
                Arrays.stream(demand.columns())
                        .map(column -> Arrays.binarySearch(columns, column))
                        .boxed()
                        .toList(),
                Arrays.stream(demand.amounts()).boxed().toList(),
                Arrays.stream(demand.sets())
                        .map(set -> Arrays.binarySearch(sets, set))
                        .boxed()
                        .toList(),
                usable.devices().get(device).device().consumesCounters().stream()
                        .map(CounterConsumption::compatibilityGroups)
                        .toList());
    }

    /** Positions in the pool, in the component's own order. */
    int[] devices() {
        return devices;
    }

    /** The same object for components of a pool that behave in the same way. */
    ComponentProfile shape() {
        return shape;
    }

    /** What is left of it now. */
    ComponentProfile.State state(PoolState books, GroupTransitions groups) {
        var values = new long[columns.length + sets.length];
        if (columns.length > 0) {
            long[] free = books.free();
            for (int i = 0; i < columns.length; i++) {
                values[i] = free[columns[i]];
            }
        }
        for (int i = 0; i < sets.length; i++) {
            values[columns.length + i] = groups.number(books.group(sets[i]));
        }
        return new ComponentProfile.State(values);
    }
}
