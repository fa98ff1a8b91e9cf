package dev.fakegpu.hardware.importer;

import dev.fakegpu.api.AttributeSpec;
import dev.fakegpu.api.BindingSpec;
import dev.fakegpu.api.CustomSpec;
import dev.fakegpu.api.NodeSelectorSpec;
import dev.fakegpu.api.RequestPolicySpec;
import dev.fakegpu.api.TaintSpec;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.NodeSelector;
import dev.fakegpu.dra.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Converts devices and counter sets to {@code spec.custom}. */
final class CustomSpecWriter {

    private final String pool;
    private final List<String> notes;

    /** @param notes receives a sentence for each detail that custom hardware cannot have */
    CustomSpecWriter(String pool, List<String> notes) {
        this.pool = pool;
        this.notes = notes;
    }

    CustomSpec write(PoolContent content) {
        return new CustomSpec(
                null,
                content.counterSets().stream()
                        .map(set ->
                                new CustomSpec.CounterSet(set.name(), List.of(), List.of(), quantities(set.counters())))
                        .toList(),
                content.devices().stream().map(this::device).toList());
    }

    private CustomSpec.Device device(Device device) {
        NodeSelection nodes = device.nodes();
        return new CustomSpec.Device(
                device.name(),
                List.of(),
                List.of(),
                attributes(device),
                mapValues(device.capacity(), capacity -> quantity(capacity.value())),
                policies(device.capacity()),
                device.allowMultipleAllocations() ? true : null,
                device.consumesCounters().stream()
                        .map(CustomSpecWriter::consumption)
                        .toList(),
                taints(device),
                binding(device.binding()),
                nodes instanceof NodeSelection.NodeName node ? node.name() : null,
                nodes instanceof NodeSelection.Matching matching
                        ? selector(matching.selector()).orElse(null)
                        : null,
                nodes instanceof NodeSelection.AllNodes ? true : null,
                mapValues(device.nodeAllocatableResources(), CustomSpecWriter::nodeAllocatable),
                null);
    }

    private Map<String, AttributeSpec> attributes(Device device) {
        var attributes = new LinkedHashMap<String, AttributeSpec>();
        device.attributes().forEach((name, value) -> {
            if (value instanceof AttributeValue.Unknown) {
                note(device, "attribute " + name + " has a value of a kind that is not known here; it is left out");
            } else {
                attributes.put(name, attribute(value));
            }
        });
        return attributes;
    }

    private static AttributeSpec attribute(AttributeValue value) {
        if (value instanceof AttributeValue.ListValue list) {
            return list(list);
        }
        return new AttributeSpec(
                value instanceof AttributeValue.StringValue text ? text.value() : null,
                value instanceof AttributeValue.IntValue number ? number.value() : null,
                value instanceof AttributeValue.BoolValue bool ? bool.value() : null,
                value instanceof AttributeValue.VersionValue version ? version.value() : null,
                null,
                null,
                null,
                null,
                null);
    }

    private static AttributeSpec list(AttributeValue.ListValue list) {
        return new AttributeSpec(
                null,
                null,
                null,
                null,
                elements(list, AttributeValue.Kind.STRING, Object::toString),
                elements(list, AttributeValue.Kind.INT, element -> ((AttributeValue.IntValue) element).value()),
                elements(list, AttributeValue.Kind.BOOL, element -> ((AttributeValue.BoolValue) element).value()),
                elements(list, AttributeValue.Kind.VERSION, Object::toString),
                null);
    }

    private static <T> @Nullable List<T> elements(
            AttributeValue.ListValue list, AttributeValue.Kind kind, Function<AttributeValue, T> value) {
        return list.kind() == kind ? list.values().stream().map(value).toList() : null;
    }

    private static Map<String, RequestPolicySpec> policies(Map<String, DeviceCapacity> capacities) {
        var policies = new LinkedHashMap<String, RequestPolicySpec>();
        capacities.forEach((name, capacity) -> {
            DeviceCapacity.RequestPolicy policy = capacity.requestPolicy();
            if (policy != null) {
                policies.put(name, policy(policy));
            }
        });
        return policies;
    }

    private static RequestPolicySpec policy(DeviceCapacity.RequestPolicy policy) {
        DeviceCapacity.Range range = policy.validRange();
        return new RequestPolicySpec(
                optional(policy.defaultValue()),
                policy.validValues().stream().map(CustomSpecWriter::quantity).toList(),
                range == null
                        ? null
                        : new RequestPolicySpec.Range(
                                optional(range.min()), optional(range.max()), optional(range.step())));
    }

    private static CustomSpec.CounterConsumption consumption(CounterConsumption entry) {
        return new CustomSpec.CounterConsumption(
                entry.counterSet(), List.of(), quantities(entry.counters()), entry.compatibilityGroups());
    }

    private List<CustomSpec.DeviceTaint> taints(Device device) {
        var taints = new ArrayList<CustomSpec.DeviceTaint>();
        for (DeviceTaint taint : device.taints()) {
            Optional<TaintSpec.Effect> effect = Arrays.stream(TaintSpec.Effect.values())
                    .filter(known -> known.name().equals(taint.effect()))
                    .findFirst();
            if (effect.isEmpty()) {
                note(device, "taint " + taint + " has an effect that is not known here; it is left out");
            } else {
                taints.add(new CustomSpec.DeviceTaint(
                        taint.key(),
                        taint.value().isEmpty() ? null : taint.value(),
                        effect.get(),
                        taint.timeAdded() == null ? null : taint.timeAdded().toString()));
            }
        }
        return taints;
    }

    private static CustomSpec.NodeAllocatableResource nodeAllocatable(Device.NodeAllocatable resource) {
        var mapping = resource.mapping();
        var overhead = resource.overhead();
        return new CustomSpec.NodeAllocatableResource(
                mapping == null
                        ? null
                        : new CustomSpec.NodeAllocatableResource.Mapping(
                                mapping.capacityKey(),
                                optional(mapping.capacityMultiplier()),
                                optional(mapping.deviceMultiplier())),
                overhead == null
                        ? null
                        : new CustomSpec.NodeAllocatableResource.Overhead(
                                optional(overhead.perPod()), optional(overhead.perContainer())));
    }

    private static @Nullable BindingSpec binding(Device.Binding binding) {
        return binding.equals(Device.Binding.NONE)
                ? null
                : new BindingSpec(
                        binding.conditions(), binding.failureConditions(), binding.bindsToNode() ? true : null, null);
    }

    /** The converted selector; empty if it has an unknown operator. */
    static Optional<NodeSelectorSpec> selector(NodeSelector selector) {
        try {
            return Optional.of(new NodeSelectorSpec(selector.terms().stream()
                    .map(term ->
                            new NodeSelectorSpec.Term(requirements(term.expressions()), requirements(term.fields())))
                    .toList()));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static List<NodeSelectorSpec.Requirement> requirements(List<NodeSelector.Requirement> requirements) {
        return requirements.stream()
                .map(requirement -> new NodeSelectorSpec.Requirement(
                        requirement.key(),
                        NodeSelectorSpec.Requirement.Operator.valueOf(requirement.operator()),
                        requirement.values()))
                .toList();
    }

    private static Map<String, io.fabric8.kubernetes.api.model.Quantity> quantities(Map<String, Quantity> quantities) {
        return mapValues(quantities, CustomSpecWriter::quantity);
    }

    private static io.fabric8.kubernetes.api.model.@Nullable Quantity optional(@Nullable Quantity quantity) {
        return quantity == null ? null : quantity(quantity);
    }

    private static io.fabric8.kubernetes.api.model.Quantity quantity(Quantity quantity) {
        return new io.fabric8.kubernetes.api.model.Quantity(quantity.toString());
    }

    private static <A, B> Map<String, B> mapValues(Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        map.forEach((key, value) -> result.put(key, function.apply(value)));
        return result;
    }

    private void note(Device device, String what) {
        notes.add("device " + device.name() + " of pool " + pool + ": " + what);
    }
}
