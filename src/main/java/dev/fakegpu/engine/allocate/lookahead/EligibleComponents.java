package dev.fakegpu.engine.allocate.lookahead;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The components of a node's pools that have eligible devices, each with a version that changes with its state. Eligible devices that
 * depend on no other device and cannot be shared do not belong to a component.
 */
final class EligibleComponents {

    private final DeviceNumbering numbering;
    private final SearchState state;
    private final List<OfPool> all = new ArrayList<>();
    private final Map<Integer, Integer> byDevice = new HashMap<>();
    private final DeviceSet independent;
    private final List<List<Integer>> versions = new ArrayList<>();
    private int lastVersion;

    /** A component of one of the node's pools. */
    record OfPool(int pool, CounterComponent component) {}

    private EligibleComponents(DeviceNumbering numbering, SearchState state) {
        this.numbering = numbering;
        this.state = state;
        independent = new DeviceSet(numbering);
    }

    static EligibleComponents of(DeviceNumbering numbering, List<DeviceDemand> demands, SearchState state) {
        DeviceSet eligible = DeviceSet.union(
                numbering,
                demands.stream()
                        .flatMap(demand -> demand.variants().stream())
                        .map(VariantDemand::eligible)
                        .toList());
        var components = new EligibleComponents(numbering, state);
        for (int pool = 0; pool < numbering.pools(); pool++) {
            components.addPool(pool, eligible);
        }
        return components;
    }

    private void addPool(int pool, DeviceSet eligible) {
        if (numbering.devices(pool) == 0) {
            return;
        }
        CounterComponents ofPool = state.components(pool);
        var used = new BitSet();
        for (int device = 0; device < numbering.devices(pool); device++) {
            if (eligible.contains(pool, device)) {
                int component = ofPool.of(device);
                if (component >= 0) {
                    used.set(component);
                } else if (state.isShareable(pool, device)) {
                    add(pool, new CounterComponent(device));
                } else {
                    independent.add(pool, device);
                }
            }
        }
        used.stream().forEach(component -> add(pool, ofPool.get(component)));
    }

    private void add(int pool, CounterComponent component) {
        for (int device : component.devices()) {
            byDevice.put(numbering.number(pool, device), all.size());
        }
        all.add(new OfPool(pool, component));
        versions.add(new ArrayList<>(List.of(0)));
    }

    List<OfPool> all() {
        return all;
    }

    /** The eligible devices that depend on no other device and cannot be shared. */
    DeviceSet independent() {
        return independent;
    }

    /** The version of a component. Equal versions mean equal states. */
    int version(int component) {
        List<Integer> ofComponent = versions.get(component);
        return ofComponent.get(ofComponent.size() - 1);
    }

    void changed(int pool, int device) {
        Integer component = byDevice.get(numbering.number(pool, device));
        if (component != null) {
            versions.get(component).add(++lastVersion);
        }
    }

    void changedBack(int pool, int device) {
        Integer component = byDevice.get(numbering.number(pool, device));
        if (component != null) {
            List<Integer> ofComponent = versions.get(component);
            ofComponent.remove(ofComponent.size() - 1);
        }
    }
}
