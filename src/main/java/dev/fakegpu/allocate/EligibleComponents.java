package dev.fakegpu.allocate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The devices that come into question, by {@link CounterComponent}; those that depend on no other one are not in any. */
final class EligibleComponents {

    private final List<OfPool> all = new ArrayList<>();
    private final Map<Integer, Integer> byDevice = new HashMap<>();
    private final long[] single;
    private final DeviceNumbering devices;
    private final List<List<Integer>> versions = new ArrayList<>();
    private int lastVersion;

    /** A component of one of the node's pools. */
    record OfPool(int pool, CounterComponent component) {}

    private EligibleComponents(DeviceNumbering devices) {
        this.devices = devices;
        single = new long[devices.words()];
    }

    static EligibleComponents of(DeviceNumbering devices, List<ForwardCheck.Want> wants, Candidates candidates) {
        var components = new EligibleComponents(devices);
        var wanted = new long[devices.words()];
        for (ForwardCheck.Want want : wants) {
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
        var used = new BitSet();
        for (int device = 0; device < usable.devices().size(); device++) {
            int number = devices.number(pool, device);
            if (Bits.get(wanted, number)) {
                int component = usable.components().of(device);
                if (component >= 0) {
                    used.set(component);
                } else if (candidates.isShareable(pool, device)) {
                    add(pool, new CounterComponent(device));
                } else {
                    Bits.set(single, number);
                }
            }
        }
        used.stream().forEach(component -> add(pool, usable.components().get(component)));
    }

    private void add(int pool, CounterComponent component) {
        for (int device : component.devices()) {
            byDevice.put(devices.number(pool, device), all.size());
        }
        all.add(new OfPool(pool, component));
        versions.add(new ArrayList<>(List.of(0)));
    }

    List<OfPool> all() {
        return all;
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
