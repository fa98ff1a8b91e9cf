package dev.fakegpu.dra.wire;

import static java.util.Objects.requireNonNullElse;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.CounterConsumption;
import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import io.fabric8.kubernetes.api.model.resource.v1.Counter;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceCounterConsumption;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads ResourceSlices. */
public final class SliceReader {
    private SliceReader() {}

    public static Slice read(ResourceSlice slice) {
        ResourceSliceSpec spec = slice.getSpec();
        return new Slice(
                slice.getMetadata().getName(),
                new PoolId(spec.getDriver(), spec.getPool().getName()),
                spec.getPool().getGeneration(),
                spec.getPool().getResourceSliceCount(),
                nodes(spec),
                mapAll(spec.getSharedCounters(), SliceReader::counterSet),
                mapAll(spec.getDevices(), SliceReader::device));
    }

    private static NodeSelection nodes(ResourceSliceSpec spec) {
        if (spec.getNodeName() != null && !spec.getNodeName().isEmpty()) {
            return new NodeSelection.NodeName(spec.getNodeName());
        }
        if (Boolean.TRUE.equals(spec.getAllNodes())) {
            return new NodeSelection.AllNodes();
        }
        if (spec.getNodeSelector() != null) {
            return new NodeSelection.Matching(NodeSelectors.read(spec.getNodeSelector()));
        }
        return new NodeSelection.Unsupported("perDeviceNodeSelection");
    }

    private static CounterSet counterSet(io.fabric8.kubernetes.api.model.resource.v1.CounterSet set) {
        return new CounterSet(set.getName(), counters(set.getCounters()));
    }

    private static Device device(io.fabric8.kubernetes.api.model.resource.v1.Device device) {
        return new Device(
                device.getName(),
                mapValues(device.getAttributes(), SliceReader::attribute),
                mapValues(device.getCapacity(), capacity -> quantity(capacity.getValue())),
                mapAll(device.getConsumesCounters(), SliceReader::consumption),
                mapAll(device.getTaints(), SliceReader::taint));
    }

    private static AttributeValue attribute(DeviceAttribute attribute) {
        if (attribute.getString() != null) {
            return AttributeValue.of(attribute.getString());
        }
        if (attribute.getInt() != null) {
            return AttributeValue.of(attribute.getInt());
        }
        if (attribute.getBool() != null) {
            return AttributeValue.of(attribute.getBool());
        }
        return AttributeValue.version(requireNonNullElse(attribute.getVersion(), ""));
    }

    private static CounterConsumption consumption(DeviceCounterConsumption consumption) {
        return new CounterConsumption(
                consumption.getCounterSet(),
                counters(consumption.getCounters()),
                requireNonNullElse(consumption.getCompatibilityGroups(), List.of()));
    }

    private static DeviceTaint taint(io.fabric8.kubernetes.api.model.resource.v1.DeviceTaint taint) {
        return new DeviceTaint(taint.getKey(), requireNonNullElse(taint.getValue(), ""), taint.getEffect());
    }

    private static Map<String, Quantity> counters(@Nullable Map<String, Counter> counters) {
        return mapValues(counters, counter -> quantity(counter.getValue()));
    }

    static Quantity quantity(io.fabric8.kubernetes.api.model.Quantity quantity) {
        return Quantity.parse(quantity.getAmount() + requireNonNullElse(quantity.getFormat(), ""));
    }

    static <A, B> List<B> mapAll(@Nullable List<A> list, Function<A, B> function) {
        return list == null ? List.of() : list.stream().map(function).toList();
    }

    private static <A, B> Map<String, B> mapValues(@Nullable Map<String, A> map, Function<A, B> function) {
        var result = new LinkedHashMap<String, B>();
        if (map != null) {
            map.forEach((key, value) -> result.put(key, function.apply(value)));
        }
        return result;
    }
}
