package dev.fakegpu.allocate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The devices that come into question, by {@link Component}; those that depend on no other one are not in any. */
final class Components {

    private final List<Component> all = new ArrayList<>();
    private final Map<Integer, Integer> byDevice = new HashMap<>();
    private final long[] single;
    private final Outlook.Devices devices;
    private final List<List<Integer>> versions = new ArrayList<>();
    private final List<Integer> shapes = new ArrayList<>();
    private final Map<List<Component.Member>, Integer> knownShapes = new HashMap<>();
    private int lastVersion;

    private Components(Outlook.Devices devices) {
        this.devices = devices;
        single = new long[devices.words()];
    }

    static Components of(Outlook.Devices devices, List<Outlook.Want> wants, Candidates candidates) {
        var components = new Components(devices);
        var wanted = new long[devices.words()];
        for (Outlook.Want want : wants) {
            for (long[] eligible : want.eligible()) {
                for (int word = 0; word < wanted.length; word++) {
                    wanted[word] |= eligible[word];
                }
            }
        }
        for (int pool = 0; pool < devices.firstWord().length; pool++) {
            if (devices.pools().pools().get(pool) instanceof Pool.Usable usable) {
                components.add(pool, usable, wanted, candidates);
            }
        }
        return components;
    }

    private void add(int pool, Pool.Usable usable, long[] wanted, Candidates candidates) {
        var bySet = new HashMap<Integer, List<Integer>>();
        int[] leader = leaders(usable);
        for (int device = 0; device < usable.devices().size(); device++) {
            int number = devices.number(pool, device);
            if (Bits.get(wanted, number)) {
                int[] sets = usable.counters().demand(device).sets();
                if (sets.length > 0) {
                    bySet.computeIfAbsent(leader[sets[0]], ignored -> new ArrayList<>())
                            .add(device);
                } else if (candidates.isShareable(pool, device)) {
                    add(pool, usable, List.of(device));
                } else {
                    Bits.set(single, number);
                }
            }
        }
        bySet.values().forEach(members -> add(pool, usable, members));
    }

    /** For each counter set the first one that it is connected with by devices that use both. */
    private static int[] leaders(Pool.Usable usable) {
        var leader = new int[usable.counters().sets()];
        Arrays.setAll(leader, set -> set);
        for (int device = 0; device < usable.devices().size(); device++) {
            int[] sets = usable.counters().demand(device).sets();
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

    private void add(int pool, Pool.Usable usable, List<Integer> members) {
        for (int device : members) {
            byDevice.put(devices.number(pool, device), all.size());
        }
        var component = new Component(pool, usable, members);
        all.add(component);
        shapes.add(knownShapes.computeIfAbsent(component.members(), ignored -> knownShapes.size()));
        versions.add(new ArrayList<>(List.of(0)));
    }

    List<Component> all() {
        return all;
    }

    /** The same number for components that behave in the same way. */
    int shape(int component) {
        return shapes.get(component);
    }

    /** Devices that depend on no other one and cannot be shared. */
    long[] single() {
        return single;
    }

    /** A number that stands for what is left of a component: the same number, the same state. */
    int version(int component) {
        List<Integer> ofComponent = versions.get(component);
        return ofComponent.get(ofComponent.size() - 1);
    }

    void changed(int pool, int device) {
        Integer component = byDevice.get(devices.number(pool, device));
        if (component != null) {
            versions.get(component).add(++lastVersion);
        }
    }

    void changedBack(int pool, int device) {
        Integer component = byDevice.get(devices.number(pool, device));
        if (component != null) {
            List<Integer> ofComponent = versions.get(component);
            ofComponent.remove(ofComponent.size() - 1);
        }
    }
}
