package dev.fakegpu.dra.wire;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.CounterSetBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttributeBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacity;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCapacityBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumptionBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceTaintBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Writes ResourceSlices: name and spec; labels and owners are the publisher's business. */
public final class SliceWriter {
    private SliceWriter() {}

    public static ResourceSlice write(Slice slice) {
        var spec = new ResourceSliceBuilder()
                .withNewMetadata()
                .withName(slice.name())
                .endMetadata()
                .withNewSpec()
                .withDriver(slice.pool().driver())
                .withNewPool()
                .withName(slice.pool().name())
                .withGeneration(slice.generation())
                .withResourceSliceCount(slice.sliceCount())
                .endPool()
                .withSharedCounters(slice.counterSets().stream()
                        .map(SliceWriter::counterSet)
                        .toList())
                .withDevices(slice.devices().stream().map(SliceWriter::device).toList());
        if (slice.nodes() instanceof NodeSelection.NodeName node) {
            spec = spec.withNodeName(node.name());
        } else if (slice.nodes() instanceof NodeSelection.Matching matching) {
            spec = spec.withNodeSelector(NodeSelectors.write(matching.selector()));
        } else if (slice.nodes() instanceof NodeSelection.AllNodes) {
            spec = spec.withAllNodes(true);
        } else {
            throw new IllegalArgumentException("cannot publish a slice with " + slice.nodes());
        }
        return spec.endSpec().build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.CounterSet counterSet(CounterSet set) {
        return new CounterSetBuilder()
                .withName(set.name())
                .withCounters(counters(set.counters()))
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.Device device(Device device) {
        return new DeviceBuilder()
                .withName(device.name())
                .withAttributes(mapValues(device.attributes(), SliceWriter::attribute))
                .withCapacity(mapValues(device.capacity(), SliceWriter::capacity))
                .withConsumesCounters(device.consumesCounters().stream()
                        .map(SliceWriter::consumption)
                        .toList())
                .withTaints(device.taints().stream().map(SliceWriter::taint).toList())
                .build();
    }

    private static DeviceAttribute attribute(AttributeValue value) {
        var attribute = new DeviceAttributeBuilder();
        if (value instanceof AttributeValue.StringValue text) {
            attribute.withString(text.value());
        } else if (value instanceof AttributeValue.IntValue number) {
            attribute.withInt(number.value());
        } else if (value instanceof AttributeValue.BoolValue bool) {
            attribute.withBool(bool.value());
        } else if (value instanceof AttributeValue.VersionValue version) {
            attribute.withVersion(version.value());
        }
        return attribute.build();
    }

    private static DeviceCapacity capacity(Quantity value) {
        return new DeviceCapacityBuilder().withValue(quantity(value)).build();
    }

    private static DeviceCounterConsumption consumption(CounterConsumption consumption) {
        List<String> groups = consumption.compatibilityGroups();
        return new DeviceCounterConsumptionBuilder()
                .withCounterSet(consumption.counterSet())
                .withCounters(counters(consumption.counters()))
                .withCompatibilityGroups(groups)
                .build();
    }

    private static io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint taint(DeviceTaint taint) {
        return new DeviceTaintBuilder()
                .withKey(taint.key())
                .withValue(taint.value().isEmpty() ? null : taint.value())
                .withEffect(taint.effect())
                .build();
    }

    private static Map<String, Counter> counters(Map<String, Quantity> counters) {
        return mapValues(counters, value -> new Counter(quantity(value)));
    }

    private static io.fabric8.kubernetes.api.model.Quantity quantity(Quantity value) {
        return new io.fabric8.kubernetes.api.model.Quantity(value.toString());
    }

    private static <A, B> Map<String, B> mapValues(Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        map.forEach((key, value) -> result.put(key, function.apply(value)));
        return result;
    }
}
