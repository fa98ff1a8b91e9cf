package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Devices of a pool that depend on each other through counter sets, and on no other device: usually one GPU and its partitions. A shareable
 * device without counters is a component of its own. Immutable.
 */
final class CounterComponent {

    private static final int[] NONE = {};

    private final int[] devices;
    private final int[] columns;
    private final int[] sets;
    private final ComponentProfile profile;

    /** A component of one device that consumes no counters. */
    CounterComponent(int device) {
        devices = new int[] {device};
        columns = NONE;
        sets = NONE;
        profile = ComponentProfile.ALONE;
    }

    /**
     * Creates a component.
     *
     * @param pool what each device of the pool consumes
     * @param positions the positions of the component's devices in the pool
     * @param profiles the known profiles, to which a new one is added
     */
    CounterComponent(
            List<DeviceCounters> pool,
            List<Integer> positions,
            Map<List<ComponentProfile.Member>, ComponentProfile> profiles) {
        columns = distinct(pool, positions, DeviceCounters::columns);
        sets = distinct(pool, positions, DeviceCounters::sets);
        devices = inOrderOfElimination(pool, positions);
        List<ComponentProfile.Member> members = Arrays.stream(devices)
                .mapToObj(device -> member(pool.get(device)))
                .toList();
        profile = profiles.computeIfAbsent(
                members, ignored -> new ComponentProfile(members, columns.length, sets.length));
    }

    private static int[] distinct(
            List<DeviceCounters> pool, List<Integer> positions, Function<DeviceCounters, int[]> numbers) {
        return positions.stream()
                .flatMapToInt(device -> Arrays.stream(numbers.apply(pool.get(device))))
                .distinct()
                .sorted()
                .toArray();
    }

    /**
     * Orders the devices so that those that compete for the same scarce counter are next to each other. After the last device that uses a
     * counter, its value no longer matters, so fewer states must be distinguished. The scarcest counter is the one with the fewest users.
     */
    private static int[] inOrderOfElimination(List<DeviceCounters> pool, List<Integer> positions) {
        Map<Integer, Integer> users = new HashMap<>();
        positions.forEach(device ->
                Arrays.stream(pool.get(device).columns()).forEach(column -> users.merge(column, 1, Integer::sum)));
        Comparator<Integer> byScarcestCounter =
                Comparator.comparingInt(device -> Arrays.stream(pool.get(device).columns())
                        .boxed()
                        .filter(column -> users.getOrDefault(column, 0) < positions.size())
                        .mapToInt(column -> column)
                        .min()
                        .orElse(Integer.MAX_VALUE));
        return positions.stream()
                .sorted(byScarcestCounter)
                .mapToInt(device -> device)
                .toArray();
    }

    private ComponentProfile.Member member(DeviceCounters device) {
        return new ComponentProfile.Member(
                Arrays.stream(device.columns())
                        .map(column -> Arrays.binarySearch(columns, column))
                        .boxed()
                        .toList(),
                Arrays.stream(device.amounts()).boxed().toList(),
                Arrays.stream(device.sets())
                        .map(set -> Arrays.binarySearch(sets, set))
                        .boxed()
                        .toList(),
                device.groups());
    }

    /** The positions of the devices in the pool, in the component's own order. */
    int[] devices() {
        return devices;
    }

    /** The profile, which components of a pool with the same behavior share. */
    ComponentProfile profile() {
        return profile;
    }

    /** What is left of the component now. */
    ComponentProfile.State state(int pool, SearchState search) {
        var values = new long[columns.length + sets.length];
        if (columns.length > 0) {
            long[] free = search.freeCounters(pool);
            for (int i = 0; i < columns.length; i++) {
                values[i] = free[columns[i]];
            }
        }
        for (int i = 0; i < sets.length; i++) {
            values[columns.length + i] = search.groups(pool, sets[i]);
        }
        return new ComponentProfile.State(values);
    }
}
