package dev.fakegpu.dra;

import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A device as a driver publishes it.
 *
 * @param name a DNS label, unique in the pool
 * @param attributes by name; a name without a domain belongs to the driver's
 * @param capacity by name, likewise
 * @param consumesCounters what it takes from the pool's counter sets, at most one entry per set for well-behaved drivers
 * @param taints reasons to keep off it
 */
public record Device(
        String name,
        Map<String, AttributeValue> attributes,
        Map<String, Quantity> capacity,
        List<CounterConsumption> consumesCounters,
        List<DeviceTaint> taints) {

    public Device {
        attributes = Copies.ofMap(attributes);
        capacity = Copies.ofMap(capacity);
        consumesCounters = List.copyOf(consumesCounters);
        taints = List.copyOf(taints);
    }

    public Device withConsumption(UnaryOperator<CounterConsumption> change) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters.stream().map(change).toList(),
                taints);
    }

    public Device withTaints(List<DeviceTaint> newTaints) {
        return new Device(name, attributes, capacity, consumesCounters, newTaints);
    }

    /** The groups by counter set, with an empty list where the device declares none (KEP-5963's snapshot). */
    public CompatibilityGroups compatibilityGroups() {
        return CompatibilityGroups.of(consumesCounters);
    }
}
