package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The devices of a pool that consume counters, by {@link CounterComponent}. Immutable. */
public final class CounterComponents {

    private final List<CounterComponent> components = new ArrayList<>();
    private final int[] ofDevice;

    /**
     * Groups the devices of a pool.
     *
     * @param devices what each device of the pool consumes, by position
     * @param counterSets the number of counter sets of the pool
     */
    public CounterComponents(List<DeviceCounters> devices, int counterSets) {
        ofDevice = new int[devices.size()];
        Arrays.fill(ofDevice, -1);
        int[] leader = leaders(devices, counterSets);
        Map<Integer, List<Integer>> byLeader = new TreeMap<>();
        for (int device = 0; device < ofDevice.length; device++) {
            int[] sets = devices.get(device).sets();
            if (sets.length > 0) {
                byLeader.computeIfAbsent(leader[sets[0]], ignored -> new ArrayList<>())
                        .add(device);
            }
        }
        var profiles = new HashMap<List<ComponentProfile.Member>, ComponentProfile>();
        byLeader.values().forEach(members -> add(new CounterComponent(devices, members, profiles)));
    }

    private void add(CounterComponent component) {
        for (int device : component.devices()) {
            ofDevice[device] = components.size();
        }
        components.add(component);
    }

    /** For each counter set, the first counter set that is connected with it through devices that consume from both. */
    private static int[] leaders(List<DeviceCounters> devices, int counterSets) {
        var leader = new int[counterSets];
        Arrays.setAll(leader, set -> set);
        for (DeviceCounters device : devices) {
            int[] sets = device.sets();
            for (int i = 1; i < sets.length; i++) {
                int from = leader[sets[i]];
                int to = leader[sets[0]];
                if (from != to) {
                    Arrays.setAll(leader, set -> leader[set] == from ? to : leader[set]);
                }
            }
        }
        return leader;
    }

    /** The component of the device; -1 for a device that consumes no counters. */
    int of(int device) {
        return ofDevice[device];
    }

    CounterComponent get(int component) {
        return components.get(component);
    }
}
