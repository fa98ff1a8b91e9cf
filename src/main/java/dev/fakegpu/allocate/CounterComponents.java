package dev.fakegpu.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The devices of a pool that consume counters, by {@link CounterComponent}. Immutable. */
final class CounterComponents {

    private final List<CounterComponent> components = new ArrayList<>();
    private final int[] ofDevice;

    CounterComponents(Pool.Usable pool) {
        ofDevice = new int[pool.devices().size()];
        Arrays.fill(ofDevice, -1);
        int[] leader = leaders(pool);
        Map<Integer, List<Integer>> byLeader = new TreeMap<>();
        for (int device = 0; device < ofDevice.length; device++) {
            int[] sets = pool.counters().demand(device).sets();
            if (sets.length > 0) {
                byLeader.computeIfAbsent(leader[sets[0]], ignored -> new ArrayList<>())
                        .add(device);
            }
        }
        var shapes = new HashMap<List<ComponentProfile.Member>, ComponentProfile>();
        byLeader.values().forEach(devices -> add(new CounterComponent(pool, devices, shapes)));
    }

    private void add(CounterComponent component) {
        for (int device : component.devices()) {
            ofDevice[device] = components.size();
        }
        components.add(component);
    }

    /** For each counter set the first one that it is connected with by devices that use both. */
    private static int[] leaders(Pool.Usable pool) {
        var leader = new int[pool.counters().sets()];
        Arrays.setAll(leader, set -> set);
        for (int device = 0; device < pool.devices().size(); device++) {
            int[] sets = pool.counters().demand(device).sets();
            for (int i = 1; i < sets.length; i++) {
                int from = leader[sets[i]];
                int to = leader[sets[0]];
                if (from != to) {
                    for (int set = 0; set < leader.length; set++) {
                        leader[set] = leader[set] == from ? to : leader[set];
                    }
                }
            }
        }
        return leader;
    }

    /** The component that a device belongs to, -1 for a device that consumes no counters. */
    int of(int device) {
        return ofDevice[device];
    }

    CounterComponent get(int component) {
        return components.get(component);
    }
}
