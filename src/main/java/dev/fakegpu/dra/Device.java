package dev.fakegpu.dra;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A device as a driver publishes it.
 *
 * @param name a DNS label, unique in the pool
 * @param attributes by name; a name without a domain is in the driver's domain
 * @param capacity by name, as for attributes
 * @param consumesCounters what the device consumes from the pool's counter sets; a well-behaved driver has at most one entry per set
 * @param taints the taints in the slice, and those of DeviceTaintRules if they have been added
 * @param allowMultipleAllocations whether several requests can share it (KEP-5075)
 * @param nodes the nodes that can access it, for slices that select nodes per device; null means none
 * @param binding the conditions for binding the pod after the allocation
 * @param nodeAllocatableResources by resource, such as memory: how the device counts against the node's allocatable resources (KEP-5517)
 */
public record Device(
        String name,
        Map<String, AttributeValue> attributes,
        Map<String, DeviceCapacity> capacity,
        List<CounterConsumption> consumesCounters,
        List<DeviceTaint> taints,
        boolean allowMultipleAllocations,
        @Nullable NodeSelection nodes,
        Binding binding,
        Map<String, NodeAllocatable> nodeAllocatableResources) {

    /**
     * The conditions for binding a pod that uses the device (KEP-5007).
     *
     * @param bindsToNode whether the allocation is restricted to the chosen node, even if other nodes can access the device
     * @param conditions conditions of the claim's device status that must become true before the pod is bound
     * @param failureConditions conditions that make binding fail if any of them is true
     */
    public record Binding(boolean bindsToNode, List<String> conditions, List<String> failureConditions) {

        public static final Binding NONE = new Binding(false, List.of(), List.of());

        public Binding {
            conditions = List.copyOf(conditions);
            failureConditions = List.copyOf(failureConditions);
        }
    }

    /**
     * How an allocation counts against an allocatable resource of the node (NodeAllocatableResource).
     *
     * @param mapping what an allocation takes of the resource; null if the device is no such resource
     * @param overhead what pods need in addition because of the device; null if nothing
     */
    public record NodeAllocatable(
            @Nullable Mapping mapping, @Nullable Overhead overhead) {

        /** The amount for each allocated device, or for each unit that is consumed of a capacity; null means not set. */
        public record Mapping(
                @Nullable String capacityKey,
                @Nullable Quantity capacityMultiplier,
                @Nullable Quantity deviceMultiplier) {}

        /** The amount for each pod, and for each container that refers to the claim; null means not set. */
        public record Overhead(
                @Nullable Quantity perPod, @Nullable Quantity perContainer) {}
    }

    public Device {
        attributes = ArrayMap.copyOf(attributes);
        capacity = ArrayMap.copyOf(capacity);
        consumesCounters = List.copyOf(consumesCounters);
        taints = List.copyOf(taints);
        nodes = nodes instanceof NodeSelection.None ? null : nodes;
        nodeAllocatableResources = ArrayMap.copyOf(nodeAllocatableResources);
    }

    /** A device that does not count against resources of its node. */
    public Device(
            String name,
            Map<String, AttributeValue> attributes,
            Map<String, DeviceCapacity> capacity,
            List<CounterConsumption> consumesCounters,
            List<DeviceTaint> taints,
            boolean allowMultipleAllocations,
            @Nullable NodeSelection nodes,
            Binding binding) {
        this(name, attributes, capacity, consumesCounters, taints, allowMultipleAllocations, nodes, binding, Map.of());
    }

    /** A device that is allocated as a whole to one claim at a time, on the nodes of its slice. */
    public Device(
            String name,
            Map<String, AttributeValue> attributes,
            Map<String, Quantity> capacity,
            List<CounterConsumption> consumesCounters,
            List<DeviceTaint> taints) {
        this(name, attributes, withoutPolicies(capacity), consumesCounters, taints, false, null, Binding.NONE);
    }

    private static Map<String, DeviceCapacity> withoutPolicies(Map<String, Quantity> capacity) {
        var result = new LinkedHashMap<String, DeviceCapacity>();
        capacity.forEach((capacityName, value) -> result.put(capacityName, DeviceCapacity.of(value)));
        return result;
    }

    public Device withConsumption(UnaryOperator<CounterConsumption> change) {
        return withConsumesCounters(consumesCounters.stream().map(change).toList());
    }

    public Device withConsumesCounters(List<CounterConsumption> newConsumption) {
        return new Device(
                name,
                attributes,
                capacity,
                newConsumption,
                taints,
                allowMultipleAllocations,
                nodes,
                binding,
                nodeAllocatableResources);
    }

    /** The value of an attribute as text; empty if the device does not have the attribute. */
    public Optional<String> text(String attribute) {
        return Optional.ofNullable(attributes.get(attribute)).map(AttributeValue::toString);
    }

    public Device withCapacity(Map<String, DeviceCapacity> newCapacity) {
        return new Device(
                name,
                attributes,
                newCapacity,
                consumesCounters,
                taints,
                allowMultipleAllocations,
                nodes,
                binding,
                nodeAllocatableResources);
    }

    public Device withAllowMultipleAllocations(boolean allowed) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters,
                taints,
                allowed,
                nodes,
                binding,
                nodeAllocatableResources);
    }

    /** The taint that says that the device's hardware does not work; empty if there is none. */
    public Optional<DeviceTaint> unhealthyTaint() {
        return taints.stream().filter(DeviceTaint::meansUnhealthy).findFirst();
    }

    public Device withTaints(List<DeviceTaint> newTaints) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters,
                newTaints,
                allowMultipleAllocations,
                nodes,
                binding,
                nodeAllocatableResources);
    }

    public Device withAttributes(Map<String, AttributeValue> newAttributes) {
        return new Device(
                name,
                newAttributes,
                capacity,
                consumesCounters,
                taints,
                allowMultipleAllocations,
                nodes,
                binding,
                nodeAllocatableResources);
    }

    /** The same device, but several requests can share it at a time, and each consumes a part of the given capacities. */
    public Device sharedBy(Map<String, DeviceCapacity> sharedCapacity) {
        return withCapacity(sharedCapacity).withAllowMultipleAllocations(true);
    }

    /** The same device with a function applied to the value of each attribute. */
    public Device mapAttributes(UnaryOperator<AttributeValue> change) {
        if (!(attributes instanceof ArrayMap<String, AttributeValue> array)) {
            var changed = new LinkedHashMap<>(attributes);
            changed.replaceAll((key, value) -> change.apply(value));
            return withAttributes(changed);
        }
        return withAttributes(array.mapValues(change));
    }

    /** An equal device whose attributes, capacities and counters are in the order of their names. */
    public Device sorted() {
        return withAttributes(new TreeMap<>(attributes))
                .withCapacity(new TreeMap<>(capacity))
                .withConsumption(entry -> new CounterConsumption(
                        entry.counterSet(), new TreeMap<>(entry.counters()), entry.compatibilityGroups()));
    }

    public Device withBinding(Binding newBinding) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters,
                taints,
                allowMultipleAllocations,
                nodes,
                newBinding,
                nodeAllocatableResources);
    }

    public Device withNodes(@Nullable NodeSelection newNodes) {
        return new Device(
                name,
                attributes,
                capacity,
                consumesCounters,
                taints,
                allowMultipleAllocations,
                newNodes,
                binding,
                nodeAllocatableResources);
    }

    /** The groups by counter set, with an empty list where the device declares none (KEP-5963's snapshot). */
    public CompatibilityGroups compatibilityGroups() {
        return CompatibilityGroups.of(consumesCounters);
    }

    /** Whether the device declares groups on any of its counter sets. */
    public boolean usesCompatibilityGroups() {
        return consumesCounters.stream()
                .anyMatch(entry -> !entry.compatibilityGroups().isEmpty());
    }
}
